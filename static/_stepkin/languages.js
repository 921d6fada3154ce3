// Keeps the section when the language changes, and the chosen language. Without scripts, every link still works.
{
  const menu = document.querySelector(".languages");
  const headings = [...document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)[id]")];

  /** Points a link to the visible section in its language. */
  function aim(link) {
    const top = (heading) => heading.getBoundingClientRect().top;
    const asked = document.querySelector(":target");
    const inView = headings.findLast((heading) => heading.contains(asked) || top(heading) <= innerHeight / 3);
    const id = scrollY > 0 && inView ? inView.id : "";
    const sections = new Map(link.dataset.sections.split(" ").map((pair) => pair.split("#")));
    link.hash = sections.get(id) ?? id;
  }

  for (const kind of ["pointerover", "pointerdown", "focusin", "click"]) {
    menu?.addEventListener(kind, ({ target }) => {
      const link = target.closest("[data-sections]");
      if (!link) return;
      aim(link);
      if (kind === "click") stepkin.keep("language", link.hreflang);
    });
  }

  // The address decides which language is shown. The one that the reader chose last comes first in the menu.
  const chosen = menu?.querySelector(`a[hreflang="${CSS.escape(stepkin.kept("language") ?? "")}"]`)?.closest("li");
  chosen?.parentElement.prepend(chosen);
}
