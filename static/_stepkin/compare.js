// Filters the rows of a comparison by text, platform, and difference. It opens with two platforms.

{
  /** Maximum number of columns that can be read next to each other. */
  const MOST = 4;
  const form = document.querySelector(".filter");
  const { text, differing, step: jump } = form.elements;
  const boxes = [...form.querySelectorAll("[name=platform]")];
  const said = form.querySelector("output");
  const tallies = [...document.querySelectorAll("[data-tally]")];
  const cellsOf = (row) => [...row.querySelectorAll("[data-platform]")];
  const sections = [...document.querySelectorAll(".compared")].map((section) => ({
    section,
    title: section.ariaLabel.toLowerCase(),
    cells: cellsOf(section),
    wide: [...section.querySelectorAll(".why td")],
    tables: [...section.querySelectorAll(".table")].map((box) => ({
      box,
      details: box.closest("details"),
      rows: [...box.querySelectorAll("[data-row]")].map((row) => ({ row, cells: cellsOf(row), words: row.textContent.toLowerCase() })),
    })),
  }));
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);

  /** Selects platforms. The others are disabled when the maximum is reached. */
  function choose(platforms) {
    for (const box of boxes) box.checked = platforms.includes(box.value);
  }

  /** Classifies a row by its cells for the selected platforms: empty, equal, or different. */
  function compare(cells, isShown) {
    const seen = cells.filter(isShown);
    const classes = new Set(seen.map(({ dataset }) => dataset.class));
    const first = seen[0]?.dataset.class;
    for (const cell of seen) {
      // The first cell with a value shows it. Later cells have the same value or another one.
      cell.classList.toggle("is-same", cell !== seen[0] && first !== undefined && cell.dataset.class === first);
    }
    return { isThere: seen.some(({ dataset }) => dataset.class), differs: classes.size > 1 };
  }

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    const platforms = chosen();
    // A single platform can't be compared.
    const isChoice = platforms.length > 1;
    const isShown = ({ dataset }) => !isChoice || platforms.includes(dataset.platform);
    const count = { steps: 0, lacking: 0, settings: 0, differing: 0 };
    for (const box of boxes) box.disabled = !box.checked && platforms.length >= MOST;
    document.querySelector("main").classList.toggle("chosen", isChoice);
    let [shown, all] = [0, 0];
    for (const { section, title, cells, wide, tables } of sections) {
      for (const cell of cells) cell.hidden = !isShown(cell);
      for (const cell of wide) cell.colSpan = (isChoice ? platforms.length : boxes.length || 2) + 1;
      let inSection = 0;
      for (const { box, details, rows } of tables) {
        box.classList.toggle("few", isChoice);
        let inBox = 0;
        for (const { row, cells, words } of rows) {
          const { isThere, differs } = compare(cells, isShown);
          const isOdd = isChoice ? differs : row.hasAttribute("data-differs");
          row.hidden = !isThere || !words.includes(wanted) || (differing.checked && !isOdd);
          inBox += !row.hidden;
          all += isThere;
          if (details || !isThere) continue;
          count.settings += 1;
          count.differing += isOdd;
        }
        (details ?? box).hidden = inBox === 0;
        // Matches should be visible.
        if (details && wanted && inBox > 0) details.open = true;
        inSection += inBox;
      }
      // A step is a separate row, because it may be the only difference.
      const has = section.querySelectorAll(".chips > [data-platform]:not([hidden])").length;
      const lacks = isChoice ? has > 0 && has < platforms.length : section.hasAttribute("data-differs");
      const isFound = has > 0 && title.includes(wanted) && (!differing.checked || lacks);
      section.hidden = inSection === 0 && !isFound;
      count.steps += has > 0 && !lacks;
      count.lacking += lacks;
      [shown, all] = [shown + inSection + isFound, all + (has > 0)];
    }
    for (const place of tallies) {
      const number = count[place.dataset.tally];
      place.querySelector("b").textContent = number;
      place.querySelector("span").textContent = stepkin.form(number, place);
      place.hidden = number === 0;
    }
    if (shown === all) stepkin.count(said, all);
    else said.textContent = said.dataset.some.replace("{shown}", shown).replace("{count}", all);
  }

  /** A link to a row shows the row even if it is filtered out or collapsed. */
  function reveal() {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("[data-row], .compared");
    if (!row) return;
    if (row.hidden || row.closest("[hidden]")) {
      [text.value, differing.checked] = ["", false];
      const having = [...row.querySelectorAll("td[data-class], li[data-platform]")].map(({ dataset }) => dataset.platform);
      if (boxes.length && !having.some((platform) => chosen().includes(platform))) choose([...new Set([...having, ...chosen()])].slice(0, 2));
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
  // When readers come back to the page, it keeps the filter. A new page starts with the reader's platform and the next one.
  if (boxes.length && chosen().length === 0) {
    const all = boxes.map(({ value }) => value);
    const yours = stepkin.platforms().filter((platform) => all.includes(platform));
    choose([...new Set([...yours, ...all])].slice(0, 2));
  }
  // When readers come back to the page, it keeps the filter text.
  filter();
  if (location.hash) reveal();
}
