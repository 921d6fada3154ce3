// Displays the search and its results. Loaded when the search opens for the first time.
//
// Pages are loaded in parts, and each family has separate parts. On a step, the search is limited to the step's
// family and platform. Readers can change both limits, and they are ignored if nothing is found within them.

const button = document.querySelector("button.search");
const { Texts, choose: chooseParts, distance, excerpt, few, fileOf, terms, words } = await import(new URL(button.dataset.texts, document.baseURI));

const folder = new URL("search/", import.meta.url);
const base = new URL("../..", folder);

/** Maximum number of pages in the results. Another word finds the rest. */
const PAGES = 8;
const PLACES_OF_A_PAGE = 3;
/** Milliseconds without a keystroke before the search starts. */
const PAUSE = 70;
/** Maximum number of recent results. */
const RECENT = 5;

const { platform: here, family: familyHere } = document.documentElement.dataset;

/** Creates an element with attributes and content. `false` values are left out. */
function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...content.filter(Boolean));
  return element;
}

// The page contains the elements and all words.
const dialog = document.querySelector("#finder").content.firstElementChild.cloneNode(true);
const input = dialog.querySelector("[role=combobox]");
const close = dialog.querySelector(".finder-close");
const scope = dialog.querySelector(".finder-scope");
const status = dialog.querySelector("[role=status]");
const list = dialog.querySelector("[role=listbox]");

/** The selected platform and family, by ID. Empty for all. */
const asked = { platform: "", family: "" };
/** Words to ignore if no page contains all words. */
const ignored = new Set(words(status.dataset.ignored));
const texts = new Texts();
let catalogue, ready;

/** Loads the style, and waits for it so that the search never appears without it. */
function style() {
  const link = make("link", { rel: "stylesheet", href: button.dataset.style });
  document.head.append(link);
  return new Promise((done) => (link.onload = link.onerror = done));
}

/** The content of files, each loaded once. */
const files = new Map();
function file(url, options) {
  if (!files.has(url.href)) {
    const loaded = fetch(url, options).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status}`);
      return answer.json();
    });
    loaded.catch(() => files.delete(url.href));
    files.set(url.href, loaded);
  }
  return files.get(url.href);
}

async function load() {
  // It refers to all other files, so it must be current.
  catalogue = await file(new URL("catalogue.json", folder), { cache: "no-cache" });
  showScope();
  // Load the initially selected parts before the reader types a word.
  const first = inScope();
  if (few(first, catalogue).length === first.length) await Promise.all(first.map(part));
}

const added = new Map();

/** Loads a part and adds its pages, once. */
function part(at) {
  if (!added.has(at)) {
    const { family, platform } = placeOf(at);
    const names = [family?.title, platform?.name].filter(Boolean);
    const loaded = file(new URL(catalogue.parts[at][0], base)).then((pages) => texts.add(at, pages, names));
    loaded.catch(() => added.delete(at));
    added.set(at, loaded);
  }
  return added.get(at);
}

/** Returns the file with the entries for a word, if there is one. */
async function listOf(word) {
  const at = fileOf(word, catalogue);
  return at === undefined ? {} : file(new URL(`${catalogue.words}${at}.json`, folder));
}

/** The family and the platform of a part. */
function placeOf(at) {
  const [, , family, platform] = catalogue.parts[at];
  const its = catalogue.families[family];
  return { family: its, platform: its?.platforms[platform] };
}

/** Returns the positions of the selected parts, by default those that the reader has selected. */
function inScope({ platform, family } = asked) {
  return [...catalogue.parts.keys()].filter((at) => {
    const its = placeOf(at);
    return (!family || its.family?.id === family) && (!platform || !its.platform || its.platform.id === platform);
  });
}

/** Searches some parts. If there are many, only the best are loaded, and `more` is set. */
async function lookIn(scope, typed) {
  const { chosen, more } = await chooseParts(typed, scope, catalogue, ignored, listOf);
  await Promise.all(chosen.map(part));
  return { ...texts.find(typed, (at) => chosen.includes(at), ignored), more };
}

/** Shows the choice of platforms, and of all tutorials if there are several. */
function showScope() {
  const { families } = catalogue;
  const family = families.find(({ id }) => id === familyHere);
  const names = new Map((family ? [family] : families).flatMap(({ platforms }) => platforms.map(({ id, name }) => [id, name])));
  asked.platform = names.has(here) ? here : "";
  asked.family = family && families.length > 1 ? family.id : "";
  const choice = (id, name) => make("label", {},
    make("input", { type: "radio", name: "platform", value: id, checked: id === asked.platform }), name);
  const platforms = make("fieldset", {}, make("legend", {}, scope.dataset.platform), choice("", scope.dataset.allPlatforms),
    ...[...names].map(([id, name]) => choice(id, name)));
  platforms.addEventListener("change", ({ target }) => {
    asked.platform = target.value;
    find();
  });
  const all = asked.family && make("input", { type: "checkbox" });
  all && all.addEventListener("change", () => {
    asked.family = all.checked ? "" : family.id;
    find();
  });
  scope.replaceChildren(...[names.size > 1 && platforms, all && make("label", {}, all, scope.dataset.allTutorials)].filter(Boolean));
}

/** The number of the latest query. Answers to earlier queries are dropped. */
let question = 0;
let isWaiting = false;
let pause;
/** Whether Enter was pressed before the answer arrived. */
let goes = false;

async function find() {
  clearTimeout(pause);
  const mine = ++question;
  if (!input.value.trim()) return beforeWords();
  if (input.value.startsWith(">")) return show([commands()], "");
  isWaiting = true;
  try {
    await (ready ??= load());
    const typed = terms(input.value, catalogue.synonyms);
    const scope = inScope();
    let found = await lookIn(scope, typed);
    let isElsewhere = false;
    const others = inScope({}).filter((at) => !scope.includes(at));
    if (!found.isWhole && others.length) {
      const there = await lookIn(others, typed);
      isElsewhere = there.pages.length > 0 && (there.isWhole || !found.pages.length);
      if (isElsewhere) found = there;
    }
    if (mine !== question) return;
    show([...groups(found), commands()], told(found, isElsewhere));
  } catch {
    if (mine !== question) return;
    ready = undefined;
    show([], status.dataset.failed);
  }
}

/** Describes an answer: the number of pages, their location, and the words. */
function told({ pages, more, isFewer, meant }, isElsewhere) {
  const { fewer, meant: for_ } = status.dataset;
  const forms = isElsewhere ? list : status;
  const said = stepkin.form(pages.length + (more ? 1 : 0), forms).replace("{count}", `${pages.length}${more ? "+" : ""}`);
  if (!pages.length) return nothingFound();
  return [
    isElsewhere && nothingFound(),
    said,
    meant && for_.replace("{words}", () => meant),
    isFewer && fewer,
  ].filter(Boolean).join(" · ");
}

function nothingFound() {
  const { nothing, nothingOn } = status.dataset;
  return asked.platform ? nothingOn.replace("{platform}", platformName(asked.platform)) : nothing;
}

function platformName(id) {
  const platforms = catalogue.families.flatMap(({ platforms }) => platforms);
  return platforms.find((platform) => platform.id === id)?.name ?? "";
}

/** Groups the results to show: for each page its best sections. The first one has a trail. */
function groups({ pages, matched }) {
  return pages.slice(0, PAGES).map(({ page, places }) => ({
    page: page.title,
    places: places.slice(0, PLACES_OF_A_PAGE).map(({ place: { id, name, text, code } }, at) => ({
      title: name,
      trail: trail(page, name),
      isMore: at > 0,
      url: page.url + (id && `#${encodeURIComponent(id)}`),
      excerpt: excerpt([text, code].find((text) => words(text).some((word) => matched.has(word))) ?? text, matched),
    })),
  }));
}

/** Returns the trail of a section: its page, ancestors, platform, and, if there are several, its family. */
function trail({ title, above, part }, name) {
  const { family, platform } = placeOf(part);
  return [title !== name && title, above.join(" › "), platform?.name, catalogue.families.length > 1 && family?.title !== name && family?.title]
    .filter(Boolean).join(" · ");
}

/** Without a query, shows the recent results and the sections of this page. */
function beforeWords() {
  const { recent, sections } = status.dataset;
  const links = [...document.querySelectorAll(".toc a")];
  const own = links.map((link) => ({ title: link.textContent, url: link.getAttribute("href"), isHere: true }));
  show([{ label: recent, places: remembered() }, { label: sections, places: own }, commands()], "");
}

/** Returns the commands for the typed words: buttons of this page, and links to other platforms. */
function commands() {
  const wanted = words(input.value);
  const command = (element, before = "") => {
    // Elements in closed menus have no visible text.
    const title = (element.innerText || element.textContent).trim();
    const told = words(`${before} ${element.textContent}`);
    const isMeant = wanted.every((word) => told.some((it) => it.startsWith(word)));
    // Without words, platforms would hide the rest.
    return isMeant && (wanted.length || !before) && { title, trail: before, isHere: true, run: () => element.click(), stays: !before && !element.dataset.opens };
  };
  const buttons = [".theme", "[data-copies]", "[data-opens=stepkin-progress]", "[data-opens=stepkin-keys]"];
  const own = buttons.map((selector) => document.querySelector(selector)).filter(Boolean).map((button) => command(button));
  const links = [...document.querySelectorAll(".platforms a:not([aria-current])")];
  const platforms = links.map((link) => command(link, scope.dataset.platform));
  return { label: status.dataset.commands, places: [...own, ...platforms].filter(Boolean) };
}

/** Runs a command. One that opens something else closes the search, and after others it shows the new state. */
function run(command) {
  if (!command.stays) dialog.close();
  command.run();
  if (command.stays) {
    const said = status.textContent, at = options().indexOf(chosen());
    show([commands()], said);
    choose(at);
  }
}

/** Returns the recent results, if the stored data is valid. */
function remembered() {
  const kept = stepkin.kept("places");
  const isPlace = (place) => [place?.title, place?.url, place?.trail].every((text) => typeof text === "string");
  return Array.isArray(kept) ? kept.filter(isPlace).slice(0, RECENT) : [];
}

function remember({ title, trail = "", url, isHere }) {
  if (isHere) return;
  const others = remembered().filter((place) => place.url !== url);
  stepkin.keep("places", [{ title, trail, url }, ...others].slice(0, RECENT));
}

let shown = [];

/** Shows groups of results, and a status text. */
function show(groups, text) {
  isWaiting = false;
  status.textContent = text;
  shown = groups.flatMap(({ places }) => places);
  const option = (place) => make("a",
    { role: "option", id: `finder-result-${shown.indexOf(place)}`, href: !place.run && (place.isHere ? place.url : new URL(place.url, base).href), tabindex: "-1" },
    make("strong", {}, place.title), place.trail && !place.isMore && make("small", {}, place.trail),
    place.excerpt && make("span", {}, ...place.excerpt.map((text, at) => (at % 2 ? make("mark", {}, text) : text))));
  list.replaceChildren(...groups.filter(({ places }) => places.length).flatMap(({ label, page, places }) => label || places.length > 1
    ? [make("div", { role: "group", "aria-label": label ?? page, class: !label && "finder-page" },
      label && make("p", { "aria-hidden": "true" }, label), ...places.map(option))]
    : places.map(option)));
  list.hidden = !shown.length;
  list.scrollTop = 0;
  input.setAttribute("aria-expanded", String(shown.length > 0));
  // Results without a query weren't requested, so Enter doesn't open any.
  choose(input.value.trim() ? 0 : -1);
  if (goes) follow({});
}

/** The result that Enter opens. */
const chosen = () => list.querySelector("[aria-selected=true]");

const options = () => [...list.querySelectorAll("[role=option]")];

/** Selects a result by its index, or none for -1. */
function choose(at) {
  const places = options();
  const next = at < 0 ? undefined : places[at % places.length];
  places.forEach((place) => place.setAttribute("aria-selected", String(place === next)));
  if (next) input.setAttribute("aria-activedescendant", next.id);
  else input.removeAttribute("aria-activedescendant");
  next?.scrollIntoView({ block: "nearest" });
}

/** Opens the selected result like a click, including modifier keys that open another tab. */
function follow({ ctrlKey, metaKey, shiftKey }) {
  goes = false;
  chosen()?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

input.addEventListener("input", () => {
  // Pending answers belong to an earlier query.
  question++;
  isWaiting = true;
  goes = false;
  clearTimeout(pause);
  pause = setTimeout(find, PAUSE);
});
input.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const at = options().indexOf(chosen()), { length } = options();
  if (event.key === "ArrowDown") choose(at + 1);
  else if (event.key === "ArrowUp") choose((at < 1 ? length : at) - 1);
  else if (event.key !== "Enter") return;
  else if (isWaiting) goes = true;
  else follow(event);
  event.preventDefault();
});
list.addEventListener("click", (event) => {
  const at = options().indexOf(event.target.closest("a"));
  if (at < 0) return;
  if (shown[at].run) return run(shown[at]);
  remember(shown[at]);
  // The result may be on this page, which then stays open.
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
});
close.addEventListener("click", () => dialog.close());
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
dialog.addEventListener("close", () => (goes = false));

const styled = style();

/** Opens the search with the text that was typed while it was loading. Closing it returns the focus. */
export async function search(early) {
  await styled;
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
  input.focus();
  input.select();
  if (early.words) {
    input.value = early.words;
    goes = early.goes;
  }
  find();
  ready ??= load();
  ready.catch(() => {
    ready = undefined;
    show([], status.dataset.failed);
  });
}

/** Lists the pages with the most similar URLs for a URL that doesn't exist. */
export async function nearest(place) {
  await (ready ??= load());
  const path = decodeURI(location.pathname).slice(decodeURI(base.pathname).length).toLowerCase().replace(/(index)?\.html$/, "");
  // Search the complete path, and its last part separately. A page with all words of the path in its text would
  // otherwise hide pages with a similar name.
  const pages = new Map();
  for (const part of [path, path.split("/").findLast(Boolean) ?? ""]) {
    const typed = terms(part);
    const found = typed.length ? await lookIn(inScope({}), typed) : { pages: [] };
    found.pages.forEach(({ page }) => pages.set(page.url, page));
  }
  const away = ({ url }) => distance(decodeURI(url).toLowerCase(), path, path.length) / Math.max(path.length, url.length);
  const near = [...pages.values()].map((page) => ({ page, away: away(page) })).sort((one, other) => one.away - other.away);
  if (!near.length) return;
  place.querySelector("ul").replaceChildren(...near.slice(0, RECENT).map(({ page }) => make("li", {},
    make("a", { href: new URL(page.url, base).href }, page.title), " ", make("small", {}, trail(page, page.title)))));
  place.hidden = false;
}
