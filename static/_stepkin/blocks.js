// What code, figures, headings and settings gain: copying, a large view, links to them, a filter.

{
  /** Copies where the browser allows it, and otherwise as the reader would: by selecting. */
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

  /** What a button or a link copies says so for a while: `data-said` for readers who listen, a mark for the others. */
  async function copy(text, { dataset }) {
    if (!(await write(text))) return;
    stepkin.say(dataset.said);
    dataset.copied = "";
    setTimeout(() => {
      delete dataset.copied;
      stepkin.say("");
    }, 2000);
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
    button.addEventListener("click", () => copy(pre.textContent.replace(/\n$/, ""), button));
  }

  for (const value of document.querySelectorAll(".settings td:nth-child(2)")) {
    // What other platforms say stands in the same cell, and is not to be copied.
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
    // What scripts add is no part of a name.
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
    // Where the site's policy lets nothing be fetched, the text is shown instead.
    button.addEventListener("click", () => fetch(copies).then((it) => it.text()).then((text) => copy(text, button), () => (location.href = copies)));
  }

  const large = document.getElementById("stepkin-large");
  const picture = new Image();
  for (const link of large ? document.querySelectorAll(".prose figure > a") : []) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      const { alt } = link.firstElementChild;
      large.firstElementChild.append(Object.assign(picture, { src: link.href, alt }));
      large.showModal();
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
    // A link to a row shows it.
    addEventListener("hashchange", () => {
      if (!table.querySelector("tr[hidden]:target")) return;
      input.value = "";
      apply();
      table.querySelector(":target").scrollIntoView();
    });
    table.prepend(filter);
  }
}
