// The manual's search answers common questions: the right page is among the first three results.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { build, root } from "./support.mjs";

const source = await readFile(join(root, "static/_stepkin/search-texts.js"), "utf8");
const { Texts, fileOf, parts, words } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

/** Each question, with the pages that answer it. */
const QUESTIONS = {
  "turn off a rule": ["checking/ignore/"],
  "ignore a warning": ["checking/ignore/"],
  "deploy to github pages": ["publishing/hosts/"],
  "change the logo": ["theming/"],
  "fail ci on warnings": ["publishing/ci/check/", "checking/"],
  "dark mode": ["theming/look/"],
  "custom css": ["theming/"],
  "vscode extension": ["writing/editors/"],
  "check external links": ["checking/other-sites/"],
  "add android platform": ["families/add-platform/"],
  "how to add a platform": ["families/add-platform/"],
  "exclude a folder": ["writing/exclude/"],
  "include a code snippet": ["writing/code-from-files/"],
  "different text per platform": ["writing/one-source/"],
  "redirect old url": ["writing/redirects/"],
  "rename a page": ["writing/moving/"],
  "sidebar order": ["writing/pages/"],
  "what is a family": ["families/"],
  "docker": ["publishing/docker/"],
  "frontmatter fields": ["reference/front-matter/"],
};

/** The limits in `search.js`: parts of the index, pages, and places of a page. */
const PARTS = 8, PAGES = 8, PLACES_OF_A_PAGE = 3;

let site;

before(async () => {
  site = await build(root);
});

const read = (path) => readFile(join(site, path), "utf8");
const json = async (path) => JSON.parse(await read(path));

/** The paths of the results, in the order of `search.js`, for a reader of the manual's first page. */
async function results(question) {
  const catalogue = await json("_stepkin/search/catalogue.json");
  const ignored = new Set(words(/data-ignored="([^"]*)"/.exec(await read("manual/index.html"))[1]));
  const typed = [...new Set(words(question, false))];
  const lists = await Promise.all(typed.map((word) => json(`_stepkin/search/${catalogue.words}${fileOf(word, catalogue)}.json`)));
  const chosen = parts(typed, lists, ignored).slice(0, PARTS);
  const texts = new Texts();
  for (const at of chosen) texts.add(at, await json(catalogue.parts[at][0]));
  const { pages } = texts.find(typed, (at) => chosen.includes(at), ignored);
  const shown = pages.slice(0, PAGES).flatMap(({ places }) => places.slice(0, PLACES_OF_A_PAGE));
  shown.sort((one, other) => other.called - one.called);
  return shown.map(({ place }) => place.page.url);
}

for (const [question, answers] of Object.entries(QUESTIONS)) {
  test(`the manual answers “${question}”`, async () => {
    const first = (await results(question)).slice(0, 3);
    assert.ok(first.some((url) => answers.includes(url.replace(/^manual\//, ""))), `found ${first.join(", ")}`);
  });
}
