// The search: words in, places in the tutorials out. Loaded when it is first asked for.
//
// Each family has an index of its own. On a step the search begins with that step's family and platform;
// both can be lifted.

const assets = new URL(".", import.meta.url);
const folder = new URL("search/", assets).pathname;
const base = new URL("..", assets).pathname;

/** More would not be read; another word finds them. */
const PAGES = 8;
const PLACES_OF_A_PAGE = 3;
/** Milliseconds without a key after which the words are looked up. */
const PAUSE = 70;
/** What pages of no platform are filed under. */
const EVERY = "every";

const { platform: here, family: familyHere } = document.documentElement.dataset;

/** An element with attributes and content; what is `false` is left out. */
function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...content.filter(Boolean));
  return element;
}

// The page says what it looks like, and every word.
const dialog = document.querySelector("#finder").content.firstElementChild.cloneNode(true);
const input = dialog.querySelector("[role=combobox]");
const close = dialog.querySelector(".finder-close");
const scope = dialog.querySelector(".finder-scope");
const status = dialog.querySelector("[role=status]");
const lift = dialog.querySelector(".finder-lift");
const list = dialog.querySelector("[role=listbox]");

/** What is asked: a platform's id or nothing for all, and a family's or nothing for all. */
const asked = { platform: "", family: "" };
let catalogue, pagefind, ready;

/** Loads the style and waits until it is there, so that nothing is shown without. */
function style() {
  const { style } = document.querySelector("button.search").dataset;
  const link = make("link", { rel: "stylesheet", href: style });
  document.head.append(link);
  return new Promise((done) => (link.onload = link.onerror = done));
}

async function load() {
  const answer = await fetch(`${folder}catalogue.json`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  catalogue = await answer.json();
  showScope();
  pagefind = await import(`${folder}pagefind.js`);
  await pagefind.options({ basePath: folder, baseUrl: base });
  await pagefind.init();
}

const merged = new Map();

/** Loads the indexes of a family, or of all. */
function merge(id) {
  const families = catalogue.families.filter((family) => !id || family.id === id);
  return Promise.all(families.map(({ index }) => {
    if (!merged.has(index)) merged.set(index, pagefind.mergeIndex(base + index, { baseUrl: base }));
    return merged.get(index);
  }));
}

/** Offers the platforms, and all tutorials where there are several. */
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

/** The newest question; answers to older ones are dropped. */
let question = 0;
let isWaiting = false;
let pause;
/** Whether Enter was pressed before there was an answer. */
let goes = false;

async function find() {
  clearTimeout(pause);
  const mine = ++question;
  const words = input.value.trim();
  if (!words) return show([], "");
  isWaiting = true;
  try {
    await (ready ??= load());
    await merge(asked.family);
    if (mine !== question) return;
    const filters = {};
    if (asked.platform) filters.platform = { any: [asked.platform, EVERY] };
    if (asked.family) filters.family = asked.family;
    const { results } = await pagefind.search(words, { filters });
    const pages = await Promise.all(results.slice(0, PAGES).map((result) => result.data()));
    if (mine !== question) return;
    show(places(pages, words.toLowerCase()), results.length ? found(results.length) : nothingFound());
  } catch {
    if (mine !== question) return;
    ready = undefined;
    show([], status.dataset.failed);
  }
}

function found(count) {
  const { one, other } = status.dataset;
  return (count === 1 ? one : other).replace("{count}", count);
}

function nothingFound() {
  const { nothing, nothingOn } = status.dataset;
  return asked.platform ? nothingOn.replace("{platform}", platformName(asked.platform)) : nothing;
}

function platformName(id) {
  const platforms = catalogue.families.flatMap(({ platforms }) => platforms);
  return platforms.find((platform) => platform.id === id)?.name ?? "";
}

/** The places to show: the best of each page, and first of all those that are called as the words say. */
function places(pages, words) {
  const terms = words.split(/\s+/);
  const called = (title) => {
    const name = title.toLowerCase();
    return name === words ? 2 : terms.every((term) => name.includes(term)) ? 1 : 0;
  };
  const weight = (place) => place.weighted_locations.reduce((sum, { balanced_score }) => sum + balanced_score, 0);
  const found = pages.flatMap((page) => {
    const whole = { title: page.meta.title, url: page.url, excerpt: page.excerpt, weighted_locations: [] };
    const parts = page.sub_results.length ? page.sub_results : [whole];
    const best = parts.map((place) => ({ ...place, page, called: called(place.title), weight: weight(place) }))
      .sort((one, other) => other.called - one.called || other.weight - one.weight);
    // A section that goes on after a table stands here twice.
    return best.filter((place, at) => best.findIndex(({ url }) => url === place.url) === at).slice(0, PLACES_OF_A_PAGE);
  });
  return found.sort((one, other) => other.called - one.called);
}

/** An excerpt's text, with its marks; it comes escaped. */
function excerpt(html) {
  const plain = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  return html.split(/<mark>(.*?)<\/mark>/).map((text, at) => (at % 2 ? make("mark", {}, plain(text)) : plain(text)));
}

/** Where a place stands: its page, its platform, and its family where there are several. */
function trail({ title, page }) {
  const { platform: [platform] = [], family: [family] = [] } = page.filters;
  const told = catalogue.families.length > 1 && catalogue.families.find(({ id }) => id === family)?.title;
  return [page.meta.title !== title && page.meta.title, platformName(platform), told].filter(Boolean).join(" · ");
}

function show(places, text) {
  isWaiting = false;
  status.textContent = text;
  lift.hidden = places.length > 0 || !text || !asked.platform;
  list.replaceChildren(...places.map((place, at) => make("a",
    { role: "option", id: `finder-result-${at}`, href: place.url, tabindex: "-1" },
    make("strong", {}, place.title), make("small", {}, trail(place)), make("span", {}, ...excerpt(place.excerpt)))));
  list.hidden = !places.length;
  list.scrollTop = 0;
  input.setAttribute("aria-expanded", String(places.length > 0));
  choose(0);
  if (goes) follow({});
}

/** The place that Enter leads to. */
const chosen = () => list.querySelector("[aria-selected=true]");

function choose(at) {
  const places = [...list.children];
  const next = places.at(places.length ? at % places.length : 0);
  places.forEach((place) => place.setAttribute("aria-selected", String(place === next)));
  if (next) input.setAttribute("aria-activedescendant", next.id);
  else input.removeAttribute("aria-activedescendant");
  next?.scrollIntoView({ block: "nearest" });
}

/** Follows the chosen place as a click would, with the keys that open another tab. */
function follow({ ctrlKey, metaKey, shiftKey }) {
  goes = false;
  chosen()?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

input.addEventListener("input", () => {
  isWaiting = true;
  goes = false;
  clearTimeout(pause);
  pause = setTimeout(find, PAUSE);
});
input.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const at = [...list.children].indexOf(chosen());
  if (event.key === "ArrowDown") choose(at + 1);
  else if (event.key === "ArrowUp") choose(at - 1);
  else if (event.key !== "Enter") return;
  else if (isWaiting) goes = true;
  else follow(event);
  event.preventDefault();
});
list.addEventListener("click", (event) => {
  // The place may be on this very page, which then stays open.
  if (event.target.closest("a") && !event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
});
lift.addEventListener("click", () => {
  scope.querySelector("[value='']").click();
  input.focus();
});
close.addEventListener("click", () => dialog.close());
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
dialog.addEventListener("close", () => (goes = false));

const styled = style();

/** Opens the search, with what was typed before it was there; closing it gives the focus back. */
export async function search(early) {
  await styled;
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
  input.focus();
  input.select();
  if (early.words) {
    input.value = early.words;
    goes = early.goes;
    find();
  }
  ready ??= load();
  ready.catch(() => {
    ready = undefined;
    show([], status.dataset.failed);
  });
}
