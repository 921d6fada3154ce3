// Adds copy buttons, full-size images, links to headings and settings, and a filter for settings.

{
  /** Copies with the clipboard API if the browser allows it, or else by selecting the text. */
  async function write(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = Object.assign(document.createElement("textarea"), { value: text });
      const { activeElement } = document;
      document.body.append(field);
      field.select();
      const isCopied = document.execCommand("copy");
      field.remove();
      activeElement?.focus();
      if (!isCopied) return false;
    }
    return true;
  }

  /** Shows for a while that a button or link has copied a text: `data-said` for screen readers, and a check mark. */
  async function copy(text, { dataset }) {
    if (!(await write(text))) return;
    stepkin.say(dataset.said);
    dataset.copied = "";
    setTimeout(() => {
      delete dataset.copied;
      stepkin.say("");
    }, 2000);
  }

  /** Returns the code without removed lines, unless all lines are removed. */
  function codeOf(pre) {
    const rows = pre.cloneNode(true);
    for (const row of rows.querySelectorAll("del")) row.remove();
    return (rows.textContent.trim() ? rows : pre).textContent.replace(/\n$/, "");
  }

  for (const pre of document.querySelectorAll(".prose pre")) {
    const button = stepkin.made("copy");
    if (!button) break;
    let box = pre.closest(".code");
    if (!box) {
      box = Object.assign(document.createElement("div"), { className: "code" });
      pre.replaceWith(box);
      box.append(pre);
    }
    box.append(button);
    button.addEventListener("click", () => copy(codeOf(pre), button));
  }

  for (const value of document.querySelectorAll(".settings td:nth-child(2)")) {
    // The same cell also contains the values of other platforms, which aren't copied.
    const there = value.querySelector(".elsewhere");
    const text = value.textContent.replace(there?.textContent ?? "", "").trim();
    const button = text && stepkin.made("copy-value");
    if (!button) continue;
    button.addEventListener("click", () => copy(text, button));
    value.insertBefore(button, there);
  }

  for (const place of document.querySelectorAll(".prose > :is(h2, h3)[id], .settings tr[id] > th")) {
    const name = place.textContent.trim();
    const link = stepkin.made("anchor", name);
    if (!link) break;
    link.hash = place.id || place.parentElement.id;
    link.addEventListener("click", () => copy(link.href, link));
    // Elements that scripts add aren't part of a name.
    if (place.id) {
      const box = Object.assign(document.createElement("div"), { className: "headed" });
      place.replaceWith(box);
      box.append(place, link);
    } else {
      place.ariaLabel = name;
      place.append(link);
    }
  }

  for (const button of document.querySelectorAll("[data-copies]")) {
    const { copies } = button.dataset;
    // If the site's policy doesn't allow fetching, the text is shown instead.
    button.addEventListener("click", () => fetch(copies).then((it) => it.text()).then((text) => copy(text, button), () => (location.href = copies)));
  }

  const isPlain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const large = document.getElementById("stepkin-large");
  const pan = large?.querySelector(".pan");
  const picture = Object.assign(new Image(), { draggable: false });
  /** Shows an image as large as fits. A click on it shows it in full size. */
  function enlarge(link) {
    link.addEventListener("click", (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      // Only one of a light and a dark image is visible.
      const { src, alt } = [...link.querySelectorAll("img")].find((image) => image.offsetWidth) ?? link.querySelector("img");
      pan.append(Object.assign(picture, { src, alt, className: "fit" }));
      large.querySelector(".caption").textContent = link.closest("figure")?.querySelector("figcaption")?.textContent ?? alt;
      stepkin.show(large);
    });
  }

  /** Adds a link to the image file around images outside figures that are shown smaller than their full size. */
  function makeLarger(image) {
    const width = Number(image.getAttribute("width")) || image.naturalWidth;
    if (image.closest("a, button, summary") || !image.width || width < image.width * 1.1) return;
    const link = Object.assign(document.createElement("a"), { href: image.src, className: "zoom" });
    const whole = image.closest("picture") ?? image;
    whole.replaceWith(link);
    link.append(whole);
    enlarge(link);
  }

  if (pan) {
    document.querySelectorAll(".prose figure > a").forEach(enlarge);
    for (const image of document.querySelectorAll(".prose img")) {
      image.addEventListener("load", () => makeLarger(image));
      if (image.complete) makeLarger(image);
    }
  }
  for (const link of document.querySelectorAll("a.video")) {
    link.addEventListener("click", (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      const src = new URL(link.dataset.frame);
      src.searchParams.set("autoplay", 1);
      const frame = Object.assign(document.createElement("iframe"), { src, title: link.lastChild.data.trim(), allow: "autoplay; fullscreen; picture-in-picture" });
      // If the site's policy doesn't allow frames, the link opens the video's page.
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => effectiveDirective === "frame-src" && location.assign(link.href));
      link.replaceWith(frame);
      frame.focus();
    });
  }

  for (const table of document.querySelectorAll(".settings[data-long]")) {
    const filter = stepkin.made("filter");
    if (!filter) break;
    const rows = [...table.querySelectorAll("tbody tr")].map((row) => ({ row, words: row.textContent.toLowerCase() }));
    const [input, said] = [filter.querySelector("input"), filter.querySelector("output")];
    const apply = () => {
      const wanted = input.value.trim().toLowerCase();
      for (const { row, words } of rows) row.hidden = !words.includes(wanted);
      said.value = wanted && `${rows.filter(({ row }) => !row.hidden).length}/${rows.length}`;
    };
    input.addEventListener("input", apply);
    // A link to a row shows the row.
    addEventListener("hashchange", () => {
      if (!table.querySelector("tr[hidden]:target")) return;
      input.value = "";
      apply();
      table.querySelector(":target").scrollIntoView();
    });
    table.prepend(filter);
  }
}
