// Handles keyboard shortcuts and dialogs.

/** The action of each key. */
stepkin.keys = new Map();

{
  const help = document.getElementById("stepkin-keys");
  const wanted = help?.querySelector("[name=keys]");
  const isOn = () => wanted?.checked !== false;

  const press = (selector) => document.querySelector(selector)?.click();
  const turn = (rel, other) => press(`.turn [rel=${document.dir === "rtl" ? other : rel}]`);
  stepkin.keys.set("ArrowLeft", () => turn("prev", "next"));
  stepkin.keys.set("ArrowRight", () => turn("next", "prev"));
  stepkin.keys.set("t", () => press(".theme"));
  stepkin.keys.set("?", () => press("[data-opens=stepkin-keys]"));
  const platforms = [...document.querySelectorAll(".platforms a")].slice(0, 9);
  for (const [position, link] of platforms.entries()) {
    if (!link.hasAttribute("aria-current")) stepkin.keys.set(`${position + 1}`, () => link.click());
  }

  /** Whether the focused element uses a key: a field, a player, or a horizontally scrolling box. */
  function isTaken({ key, target }) {
    if (!target.closest || document.querySelector("dialog[open]")) return true;
    if (target.closest("input:not([type=checkbox]), textarea, select, audio, video, [contenteditable]")) return true;
    const box = target.closest("[tabindex]");
    return key.startsWith("Arrow") && box?.scrollWidth > box?.clientWidth;
  }

  // Single-key shortcuts can be turned off: WCAG 2.2, 2.1.4.
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, repeat, isComposing, defaultPrevented } = event;
    if (ctrlKey || metaKey || altKey || repeat || isComposing || defaultPrevented || !isOn() || isTaken(event)) return;
    const action = stepkin.keys.get(key.length === 1 ? key.toLowerCase() : key);
    if (!action) return;
    event.preventDefault();
    action();
  });

  if (wanted) {
    const applyKept = () => (wanted.checked = stepkin.kept("keys") !== false);
    applyKept();
    stepkin.onKept("keys", applyKept);
    wanted.addEventListener("change", () => stepkin.keep("keys", wanted.checked));
  }

  /** Opens a dialog. The first time, it waits for its script, so that immediate clicks work. */
  stepkin.show = (dialog) => {
    const onload = () => dialog.open || dialog.showModal();
    const { script: src } = dialog.dataset;
    if (!src) return onload();
    delete dialog.dataset.script;
    document.head.append(Object.assign(document.createElement("script"), { src, onload }));
  };

  addEventListener("click", ({ target }) => {
    const opens = target.closest("[data-opens]")?.dataset.opens;
    if (opens) stepkin.show(document.getElementById(opens));
    // The content fills the dialog, so a click on the dialog itself is outside the content.
    if (target.closest("[data-closes]") || target.matches("dialog")) target.closest("dialog").close();
  });
}
