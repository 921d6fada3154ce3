// Displays alternatives as tabs. Blocks rendering, so that hidden tabs do not flash.

document.documentElement.dataset.tabs = "";

document.addEventListener("DOMContentLoaded", () => {
  const read = stepkin.kept("tabs");
  /** The last selected label in each group. */
  const chosen = read && typeof read === "object" ? read : {};
  const sets = [...document.querySelectorAll(".tabs")].map(makeSet).filter((set) => set.tabs.length > 0);

  function makeSet(element, set) {
    const panels = [...element.querySelectorAll(":scope > .tab")];
    const group = element.dataset.group ?? panels[0]?.dataset.group;
    const list = Object.assign(document.createElement("div"), { className: "tab-list", role: "tablist" });
    const tabs = panels.map((panel, position) => {
      const label = panel.querySelector(":scope > .tab-label").textContent;
      const tab = Object.assign(document.createElement("button"), { type: "button", role: "tab", textContent: label });
      tab.id = `stepkin-tab-${set}-${position}`;
      panel.id ||= `${tab.id}-panel`;
      panel.role = "tabpanel";
      panel.setAttribute("aria-labelledby", tab.id);
      tab.setAttribute("aria-controls", panel.id);
      return { tab, panel, label };
    });
    list.append(...tabs.map(({ tab }) => tab));
    if (tabs.length > 0) element.prepend(list);
    return { element, group, list, tabs };
  }

  function select({ tabs }, wanted) {
    for (const it of tabs) {
      it.tab.ariaSelected = String(it === wanted);
      it.tab.tabIndex = it === wanted ? 0 : -1;
      it.panel.hidden = it !== wanted;
    }
  }

  /** Shows a tab, and the tab with the same label in all sets of its group. The clicked element keeps its position. */
  function choose(set, it) {
    const before = it.tab.getBoundingClientRect().top;
    select(set, it);
    if (!set.group) return;
    for (const other of sets.filter((other) => other !== set && other.group === set.group)) {
      const same = other.tabs.find(({ label }) => label === it.label);
      if (same) select(other, same);
    }
    scrollBy({ top: it.tab.getBoundingClientRect().top - before, behavior: "instant" });
    stepkin.keep("tabs", { ...stepkin.kept("tabs"), [set.group]: it.label });
  }

  for (const set of sets) {
    const { list, tabs, group } = set;
    select(set, tabs.find(({ label }) => label === chosen[group]) ?? tabs[0]);
    const of = (target) => tabs.findIndex(({ tab }) => tab === target);
    list.addEventListener("click", ({ target }) => of(target) >= 0 && choose(set, tabs[of(target)]));
    list.addEventListener("keydown", (event) => {
      const forth = getComputedStyle(list).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
      const back = forth === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
      const at = of(event.target);
      const to = { [forth]: at + 1, [back]: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const it = tabs.at(to % tabs.length);
      choose(set, it);
      it.tab.focus();
    });
  }

  /** A link to content in a tab shows the tab. */
  function reveal() {
    const target = document.querySelector(":target");
    const set = target && sets.find(({ element }) => element.contains(target));
    const it = set?.tabs.find(({ panel }) => panel.hidden && panel.contains(target));
    if (!it) return;
    select(set, it);
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  reveal();
});
