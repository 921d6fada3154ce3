// Lists pages with similar URLs on the 404 page, and searches from its field.
const button = document.querySelector("button.search");
const field = document.querySelector(".missing");
const { nearest, search } = await import(new URL(button.dataset.script, document.baseURI));

field.hidden = false;
field.addEventListener("submit", (event) => {
  event.preventDefault();
  search({ words: field.querySelector("input").value, goes: false });
});
nearest(document.querySelector(".nearest"));
