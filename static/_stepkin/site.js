// Improves navigation with scripts. Without it, every link still goes to the right page.

{
  /** The platforms read last, the latest first; none where the browser keeps nothing. */
  stepkin.platforms = () => {
    const known = stepkin.kept("platforms");
    return Array.isArray(known) ? known : [];
  };

  /** Whoever reads a page of a platform is on that platform, whatever was remembered before. */
  stepkin.remember = (platform) => {
    const others = stepkin.platforms().filter((other) => other !== platform);
    stepkin.keep("platforms", [platform, ...others].slice(0, 8));
  };

  // A menu is closed by a click beside it or on one of its links, and by the key that closes things.
  const menus = document.querySelectorAll(".menu, .bar details");
  const close = (isDone) => {
    for (const menu of menus) if (menu.open && isDone(menu)) menu.open = false;
  };
  addEventListener("click", ({ target }) => close((menu) => !menu.contains(target) || target.closest(".bar .sheet a")));
  addEventListener("keydown", ({ key }) => key === "Escape" && close(() => true));

  // The step that is shown is in view in a long list.
  const rail = document.querySelector(".rail");
  const here = rail?.querySelector("[aria-current]");
  if (here) rail.scrollTop = here.offsetTop - rail.clientHeight / 2;
  here?.closest("details").addEventListener("toggle", () => {
    const sheet = here.closest(".sheet");
    sheet.scrollTop = here.offsetTop - sheet.clientHeight / 2;
  });

  const headings = [...document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)[id]")];

  /** The heading of the section in view; none at the top of the page. */
  function headingInView() {
    if (scrollY <= 0) return undefined;
    const line = innerHeight / 3;
    const top = (heading) => heading.getBoundingClientRect().top;
    // A short section after the one that was asked for may stand above the line too; and at the end of a page
    // the last ones never come up to it.
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const target = document.querySelector(":target");
    const asked = target && headings.find((heading) => heading.contains(target));
    if (asked && top(asked) >= 0 && top(asked) <= (atEnd ? innerHeight : line)) return asked;
    return headings.findLast((heading) => top(heading) <= line);
  }

  /** What the sections of a page are called on the page of a link: `data-sections` holds `here#there` for those of another id. */
  stepkin.sections = (link) => {
    const pairs = link?.dataset.sections?.split(" ") ?? [];
    return new Map(pairs.map((pair) => pair.split("#")));
  };

  /** Lets a link of the switcher lead to the section in view; where nothing corresponds, to the top. */
  function aim(link) {
    const id = headingInView()?.id ?? "";
    link.hash = stepkin.sections(link).get(id) ?? id;
  }

  const own = document.documentElement.dataset.platform;
  if (own) stepkin.remember(own);

  for (const kind of ["pointerover", "pointerdown", "focusin", "click"]) {
    document.querySelector(".platforms")?.addEventListener(kind, ({ target }) => {
      const link = target.closest("[data-sections]");
      if (link) aim(link);
    });
  }

  /** Marks the section in view in the table of contents, and keeps the mark in sight. */
  function markSection() {
    const inView = headingInView();
    const upTo = headings.slice(0, headings.indexOf(inView) + 1);
    const current = upTo.map(({ id }) => contents.get(`#${id}`)).findLast(Boolean);
    for (const link of contents.values()) link.ariaCurrent = link === current ? "true" : null;
    const list = current?.closest(".toc");
    if (list) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  const contents = new Map([...document.querySelectorAll(".toc a")].map((link) => [link.getAttribute("href"), link]));
  if (contents.size > 0) {
    // A heading that crosses the line is all that changes the section; a jump may cross it at once.
    const observer = new IntersectionObserver(markSection, { rootMargin: "0px 0px -67%" });
    for (const heading of headings) observer.observe(heading);
    addEventListener("scrollend", markSection);
  }

  // The next pages are loaded before they are asked for, unless the reader saves data.
  const early = new Set([location.pathname]);
  function load({ pathname }) {
    if (early.has(pathname)) return;
    early.add(pathname);
    document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: pathname }));
  }
  if (!navigator.connection?.saveData) {
    addEventListener("load", () => document.querySelectorAll(".turn a").forEach(load));
    addEventListener("pointerover", ({ target }) => load(target.closest(".platforms a, .rail a, .path a") ?? location));
  }
}
