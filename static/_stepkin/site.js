// Improves navigation with scripts. Without them, every link still works.

{
  /** The recently read platforms, the latest first. Empty if the browser stores nothing. */
  stepkin.platforms = () => {
    const known = stepkin.kept("platforms");
    return Array.isArray(known) ? known : [];
  };

  /** The platform of the current page becomes the latest one, whatever was stored. */
  stepkin.remember = (platform) => {
    const others = stepkin.platforms().filter((other) => other !== platform);
    stepkin.keep("platforms", [platform, ...others].slice(0, 8));
  };

  // A menu closes on a click outside it or on one of its links, and on Escape.
  const menus = document.querySelectorAll(".menu, .bar details");
  const close = (isDone) => {
    for (const menu of menus) if (menu.open && isDone(menu)) menu.open = false;
  };
  addEventListener("click", ({ target }) => close((menu) => !menu.contains(target) || target.closest(".bar .sheet a")));
  addEventListener("keydown", ({ key }) => key === "Escape" && close(() => true));

  // Scrolls the current step into view in a long list.
  const rail = document.querySelector(".rail");
  const here = rail?.querySelector("[aria-current]");
  if (here) rail.scrollTop = here.offsetTop - rail.clientHeight / 2;
  here?.closest("details").addEventListener("toggle", () => {
    const sheet = here.closest(".sheet");
    sheet.scrollTop = here.offsetTop - sheet.clientHeight / 2;
  });

  const headings = [...document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)[id]")];

  /** The heading of the visible section, or none at the top of the page. */
  function headingInView() {
    if (scrollY <= 0) return undefined;
    const line = innerHeight / 3;
    const top = (heading) => heading.getBoundingClientRect().top;
    // A short section after the requested one may also be above the line, and the last sections of a page never reach
    // it.
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const target = document.querySelector(":target");
    const asked = target && headings.find((heading) => heading.contains(target));
    if (asked && top(asked) >= 0 && top(asked) <= (atEnd ? innerHeight : line)) return asked;
    return headings.findLast((heading) => top(heading) <= line);
  }

  /** The names of this page's sections on the page of a link: `data-sections` contains `here#there` for those with another ID. */
  stepkin.sections = (link) => {
    const pairs = link?.dataset.sections?.split(" ") ?? [];
    return new Map(pairs.map((pair) => pair.split("#")));
  };

  /** Points a link to the same page on another platform or in another language to the visible section, or to the top if no section corresponds. */
  function aim(link) {
    // A keyboard moves to the top of the page when it reaches the link, so the section that was requested counts.
    const target = link.matches(":focus-visible") && document.querySelector(":target");
    const asked = target && headings.find((heading) => heading.contains(target));
    const id = (asked || headingInView())?.id ?? "";
    link.hash = stepkin.sections(link).get(id) ?? id;
  }

  const own = document.documentElement.dataset.platform;
  if (own) stepkin.remember(own);

  for (const kind of ["pointerover", "pointerdown", "focusin", "click"]) {
    addEventListener(kind, ({ target }) => {
      const link = target.closest(".top [data-sections]");
      if (link) aim(link);
    });
  }

  /** Marks the visible section in the table of contents, and scrolls the mark into view. */
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
    // The section changes only when a heading crosses the line, which a jump may cause immediately.
    const observer = new IntersectionObserver(markSection, { rootMargin: "0px 0px -67%" });
    for (const heading of headings) observer.observe(heading);
    addEventListener("scrollend", markSection);
  }

  // The next pages are loaded in advance, unless the reader saves data.
  const early = new Set([location.pathname]);
  const link = (href) => document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href }));
  function load({ pathname: title }) {
    if (early.has(title)) return;
    early.add(title);
    const type = "speculationrules";
    if (!HTMLScriptElement.supports?.(type)) return link(title);
    document.head.append(Object.assign(document.createElement("script"), { title, type, text: `{"prefetch":[{"urls":["${title}"]}]}` }));
  }
  if (!navigator.connection?.saveData) {
    // A policy without 'inline-speculation-rules' blocks the rules.
    addEventListener("securitypolicyviolation", ({ target: { title } }) => early.has(title) && link(title));
    addEventListener("load", () => document.querySelectorAll(".turn a").forEach(load));
    addEventListener("pointerover", ({ target }) => load(target.closest(".platforms a, .rail a, .path a") ?? location));
  }
}
