// Sets the color mode before the page appears, so that colors do not flash.

/** What scripts of all pages share. */
const stepkin = {
  /** What is kept under a name; nothing where storage is refused or holds something else. */
  kept(name) {
    try {
      return JSON.parse(localStorage.getItem(`stepkin.${name}`));
    } catch {
      return null;
    }
  },

  /** Keeps a value for later pages. Where storage is refused or full, this page alone knows it. */
  keep(name, value) {
    try {
      localStorage.setItem(`stepkin.${name}`, JSON.stringify(value));
    } catch {
      // Then it is forgotten with the page.
    }
  },

  /** Tells readers who listen. A modal dialog is all they hear, so an open one says it itself. */
  say(text) {
    const place = document.querySelector("dialog[open] [role=status]") ?? document.getElementById("stepkin-said");
    if (place) place.textContent = text;
  },

  /** What a template holds, with a text in the place of `{}` in its label; nothing where there is none. */
  made(name, text = "") {
    const template = document.getElementById(`stepkin-${name}`);
    if (!template) return undefined;
    const made = document.importNode(template.content.firstElementChild, true);
    const label = made.getAttribute("aria-label");
    if (label) made.setAttribute("aria-label", label.replace("{}", () => text));
    return made;
  },

  /** The form for a number, of those that attributes hold, by the plural rules of the page's language. */
  form(number, { dataset }) {
    return dataset[new Intl.PluralRules(document.documentElement.lang).select(number)] ?? dataset.other;
  },

  /** Writes a number into a place, in the form for it. */
  count(place, number, forms = place) {
    place.textContent = stepkin.form(number, forms).replace("{count}", number);
  },

  /** Calls back when another tab keeps something else under a name. */
  onKept(name, callback) {
    addEventListener("storage", ({ key }) => (key === null || key === `stepkin.${name}`) && callback());
  },
};

{
  const themes = ["auto", "light", "dark"];
  const { dataset } = document.documentElement;
  const apply = (theme) => (dataset.theme = themes.includes(theme) ? theme : "auto");
  const applyKept = () => apply(stepkin.kept("theme"));

  applyKept();
  stepkin.onKept("theme", applyKept);
  addEventListener("pageshow", ({ persisted }) => persisted && applyKept());
  addEventListener("click", ({ target }) => {
    if (!target.closest(".theme")) return;
    stepkin.keep("theme", apply(themes[(themes.indexOf(dataset.theme) + 1) % themes.length]));
  });
}
