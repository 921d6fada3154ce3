// Remembers the chosen language. Without scripts, every link still works.
{
  const menu = document.querySelector(".languages");
  menu?.addEventListener("click", ({ target }) => {
    const link = target.closest("[data-sections]");
    if (link) stepkin.keep("language", link.hreflang);
  });

  // The address decides which language is shown. The one that the reader chose last comes first in the menu.
  const chosen = menu?.querySelector(`a[hreflang="${CSS.escape(stepkin.kept("language") ?? "")}"]`)?.closest("li");
  chosen?.parentElement.prepend(chosen);
}
