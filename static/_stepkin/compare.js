// Filters the rows of a comparison by text, and by whether platforms differ in them.

{
  const form = document.querySelector(".filter");
  const { text, differing } = form.elements;
  const said = form.querySelector("output");
  const sections = [...document.querySelectorAll(".compared")].map((section) => ({
    section,
    boxes: [...section.querySelectorAll(".table")].map((box) => ({
      box,
      details: box.closest("details"),
      rows: [...box.querySelectorAll("[data-row]")].map((row) => ({ row, words: row.textContent.toLowerCase() })),
    })),
  }));

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    let [shown, all] = [0, 0];
    for (const { section, boxes } of sections) {
      let inSection = 0;
      for (const { box, details, rows } of boxes) {
        let inBox = 0;
        for (const { row, words } of rows) {
          row.hidden = !words.includes(wanted) || (differing.checked && !row.hasAttribute("data-differs"));
          inBox += !row.hidden;
        }
        (details ?? box).hidden = inBox === 0;
        // What is looked for should be seen where it is found.
        if (details && wanted && inBox > 0) details.open = true;
        [inSection, all] = [inSection + inBox, all + rows.length];
      }
      section.hidden = inSection === 0 && Boolean(wanted || differing.checked);
      shown += inSection;
    }
    const { one, other, some } = said.dataset;
    const words = shown !== all ? some : all === 1 ? one : other;
    said.value = words.replace("{shown}", shown).replace("{count}", all);
  }

  /** A link to a row shows it, whatever is filtered and closed. */
  function reveal() {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("[data-row], .compared");
    if (!row) return;
    if (row.hidden || row.closest("[hidden]")) {
      form.reset();
      filter();
    }
    const details = row.closest("details");
    if (details) details.open = true;
    row.scrollIntoView();
  }

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", reveal);
  // A page that is come back to keeps what was typed.
  filter();
  if (location.hash) reveal();
}
