// Opens the search; all the rest of it is loaded when it is first asked for.
const button = document.querySelector("button.search");

const open = async (event) => {
  event.preventDefault();
  const { search } = await import("./search.js");
  search();
};

const isWriting = ({ target }) => target.closest?.("input, textarea, select, [contenteditable]");

if (button) {
  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.defaultPrevented || event.isComposing || altKey) return;
    const slash = key === "/" && !ctrlKey && !metaKey && !isWriting(event);
    const k = key.toLowerCase() === "k" && ctrlKey !== metaKey && !shiftKey;
    if (slash || k) open(event);
  });
}
