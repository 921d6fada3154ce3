// Filters the rows of a comparison by text, platform, and difference.

{
  const form = document.querySelector(".filter");
  const { text, differing, step: jump } = form.elements;
  const platforms = [...form.querySelectorAll("[name=platform]")];
  const said = form.querySelector("output");
  const cellsOf = (row) => [...row.querySelectorAll("[data-platform]")];
  const sections = [...document.querySelectorAll(".compared")].map((section) => ({
    section,
    title: section.ariaLabel.toLowerCase(),
    cells: cellsOf(section),
    boxes: [...section.querySelectorAll(".table")].map((box) => ({
      box,
      details: box.closest("details"),
      rows: [...box.querySelectorAll("[data-row]")].map((row) => ({ row, cells: cellsOf(row), words: row.textContent.toLowerCase() })),
    })),
  }));

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    const chosen = platforms.filter((box) => box.checked).map((box) => box.value);
    // A single platform can't be compared.
    const isShown = ({ dataset }) => chosen.length < 2 || chosen.includes(dataset.platform);
    const differs = (row, cells) => {
      if (chosen.length < 2) return row.hasAttribute("data-differs");
      return new Set(cells.filter(isShown).map(({ dataset }) => dataset.class)).size > 1;
    };
    let [shown, all] = [0, 0];
    for (const { section, title, cells, boxes } of sections) {
      for (const cell of cells) cell.hidden = !isShown(cell);
      let inSection = 0;
      for (const { box, details, rows } of boxes) {
        let inBox = 0;
        for (const { row, cells, words } of rows) {
          row.hidden = !words.includes(wanted) || (differing.checked && !differs(row, cells));
          inBox += !row.hidden;
        }
        (details ?? box).hidden = inBox === 0;
        // Matches should be visible.
        if (details && wanted && inBox > 0) details.open = true;
        [inSection, all] = [inSection + inBox, all + rows.length];
      }
      // A step is a separate row, because it may be the only difference.
      const has = section.querySelectorAll(".chips > [data-platform]:not([hidden])").length;
      const lacks = chosen.length < 2 ? section.hasAttribute("data-differs") : has > 0 && has < chosen.length;
      const isFound = title.includes(wanted) && (!differing.checked || lacks);
      section.hidden = inSection === 0 && !isFound;
      [shown, all] = [shown + inSection + isFound, all + 1];
    }
    if (shown === all) stepkin.count(said, all);
    else said.textContent = said.dataset.some.replace("{shown}", shown).replace("{count}", all);
  }

  /** A link to a row shows the row even if it is filtered out or collapsed. */
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
  jump.addEventListener("change", () => (location.hash = jump.value));
  addEventListener("hashchange", reveal);
  // When readers come back to the page, it keeps the filter text.
  filter();
  if (location.hash) reveal();
}
