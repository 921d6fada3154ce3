// Opens the search. Loads the other files of the search when it opens for the first time.
{
  const button = document.querySelector("button.search");

  /** The text that is typed before the field exists. */
  let early;

  function keep(event) {
    const { key, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey) return;
    if (key === "Enter") early.goes = true;
    else if (key.length === 1) early.words += key;
    event.preventDefault();
  }

  function open() {
    if (early) return;
    early = { words: "", goes: false };
    addEventListener("keydown", keep, true);
    // From a link on the page, because this is another file.
    import(new URL(button.dataset.script, document.baseURI)).then(({ search }) => search(early)).finally(() => {
      removeEventListener("keydown", keep, true);
      early = undefined;
    });
  }

  // Browsers don't load modules from disk, and the search is a module.
  if (location.protocol === "file:") button?.remove();
  else if (button) {
    button.addEventListener("click", open);
    stepkin.keys.set("/", open);
    addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey } = event;
      if (event.defaultPrevented || event.altKey || event.shiftKey || ctrlKey === metaKey || key.toLowerCase() !== "k") return;
      event.preventDefault();
      open();
    });
  }
}
