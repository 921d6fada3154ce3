// Sets the color mode before the page appears, so that colors do not flash.

/** Functions that the scripts of all pages share. */
const stepkin = {
  /** Returns the stored value for a name, or nothing if storage is blocked or contains something else. */
  kept(name) {
    try {
      return JSON.parse(localStorage.getItem(`stepkin.${name}`));
    } catch {
      return null;
    }
  },

  /** Stores a value for later pages. If storage is blocked or full, it is only available on this page. */
  keep(name, value) {
    try {
      localStorage.setItem(`stepkin.${name}`, JSON.stringify(value));
    } catch {
      // In this case, it is lost with the page.
    }
  },

  /** Announces a text to screen readers. An open modal dialog must announce it itself, because nothing else is heard. */
  say(text) {
    const place = document.querySelector("dialog[open] [role=status]") ?? document.getElementById("stepkin-said");
    if (place) place.textContent = text;
  },

  /** Returns the content of a template with a text for `{}` in its label, or nothing if it doesn't exist. */
  made(name, text = "") {
    const template = document.getElementById(`stepkin-${name}`);
    if (!template) return undefined;
    const made = document.importNode(template.content.firstElementChild, true);
    const label = made.getAttribute("aria-label");
    if (label) made.setAttribute("aria-label", label.replace("{}", () => text));
    return made;
  },

  /** The plural form for a number, from an element's attributes and the page's language. */
  form(number, { dataset }) {
    return dataset[new Intl.PluralRules(document.documentElement.lang).select(number)] ?? dataset.other;
  },

  /** Writes a number into an element, in the right plural form. */
  count(place, number, forms = place) {
    place.textContent = stepkin.form(number, forms).replace("{count}", number);
  },

  /** Calls back when another tab stores another value for a name. */
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
