// Runs the search of a built site without a browser: returns its results, and the files that it loads.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./support.mjs";

export const questions = JSON.parse(await readFile(join(root, "tests/data/questions.json"), "utf8"));


/** How readers of the home page of the site in `folder` ask: a function from a question to the pages found and the bytes loaded, compressed. */
export async function asking(folder) {
  const page = await readFile(join(folder, "index.html"), "utf8");
  const scripts = [...new Set(page.match(/[\w./-]*_stepkin\/search(?:-texts)?\.[0-9a-f]+\.(?:js|css)/g))].map((name) => name.replace(/^.*_stepkin/, "_stepkin"));
  const source = await readFile(join(folder, scripts.find((name) => name.includes("search-texts"))), "utf8");
  const { Texts, choose, fileOf, terms, words } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const ignored = new Set(words(/data-ignored="([^"]*)"/.exec(page)[1]));

  return async (question) => {
    const loaded = new Map();
    const load = async (name) => {
      const bytes = await readFile(join(folder, name));
      loaded.set(name, gzipSync(bytes).length);
      return bytes;
    };
    const json = async (name) => JSON.parse(await load(decodeURIComponent(name)));
    await Promise.all(scripts.map(load));
    const catalogue = await json("_stepkin/search/catalogue.json");
    const listOf = async (word) => {
      const at = fileOf(word, catalogue);
      return at === undefined ? {} : json(`_stepkin/search/${catalogue.words}${at}.json`);
    };
    const typed = terms(question, catalogue.synonyms);
    const { chosen } = await choose(typed, [...catalogue.parts.keys()], catalogue, ignored, listOf);
    const texts = new Texts();
    for (const at of chosen) {
      const [name, , family, platform] = catalogue.parts[at];
      const its = catalogue.families[family];
      texts.add(at, await json(name), [its?.title, its?.platforms[platform]?.name].filter(Boolean));
    }
    const { pages } = texts.find(typed, (at) => chosen.includes(at), ignored);
    const bytes = [...loaded.values()].reduce((sum, size) => sum + size, 0);
    return { urls: pages.map(({ page }) => page.url), bytes, requests: loaded.size };
  };
}
