// The search's words, spellings and order of results, without a browser.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support.mjs";

const source = await readFile(join(root, "static/_stepkin/search-texts.js"), "utf8");
const { Texts, choose, distance, excerpt, fileOf, likeness, terms, words } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

test("texts have the words that the build takes", async () => {
  const cases = JSON.parse(await readFile(join(root, "tests/data/words.json"), "utf8"));
  for (const [text, expected] of cases) assert.deepEqual(words(text), expected, text);
});

test("a distance counts letters that are changed, added, left out and swapped", () => {
  for (const [one, other, expected] of [["sned", "send", 1], ["conection", "connection", 1], ["uplod", "upload", 1], ["", "ab", 2], ["abc", "abc", 0], ["kitten", "sitting", 3]]) {
    assert.equal(distance(one, other, 5), expected);
    assert.equal(distance(other, one, 5), expected);
  }
  assert.ok(distance("abcdef", "ghijkl", 2) > 2);
});

test("a word answers best what is the same, then what it begins with, another form, another spelling", () => {
  const ranked = ["upload", "uploads", "uploading", "uplaod"].map((word) => likeness("upload", word));
  assert.deepEqual(ranked, [...ranked].sort((one, other) => other - one));
  for (const [typed, word] of [["connections", "connection"], ["sending", "send"], ["tested", "testing"]]) assert.ok(likeness(typed, word) > 0, typed);
  for (const [typed, word] of [["cat", "car"], ["send", "mind"], ["event", "never"]]) assert.equal(likeness(typed, word), 0, typed);
});

const page = (url, title, ...places) => [url, title, [], places];
const texts = new Texts();
texts.add(0, [
  page("batch/", "Batches", ["", "", "How a batch is sent.", ""], ["setting-send", "Send as Batch", "Check", ""]),
  page("server/", "Servers", ["", "", "Your server may send events to us.", "trackEvent"], ["more", "More", "Send as you like, a batch or one.", ""]),
]);
texts.add(1, [page("gdpr/", "Consent", ["", "", "What the GDPR says. 连接设置", ""])]);
const everywhere = () => true;
const find = (typed, isAsked = everywhere) => texts.find(terms(typed), isAsked, new Set(["how", "do", "i"]));
const names = ({ pages }) => pages.flatMap(({ places }) => places.map(({ place }) => place.name));

test("what is called as the words say comes first, and its place before its page", () => {
  assert.equal(names(find("send as batch"))[0], "Send as Batch");
  assert.equal(names(find("sned as bacth"))[0], "Send as Batch");
  assert.equal(find("sned as bacth").meant, "send as batch");
  assert.equal(find("send as batch").meant, "");
  assert.equal(names(find("server"))[0], "Servers");
});

test("only the parts that are asked are looked through", () => {
  assert.equal(find("gdpr").isWhole, true);
  assert.deepEqual(find("gdpr", (part) => part === 0).pages, []);
});

test("where no page has all words, those that tell most are found", () => {
  const found = find("how do I send events from my machine");
  assert.deepEqual([found.isFewer, found.pages[0].page.url], [true, "server/"]);
  assert.deepEqual(find("xyzzy").pages, []);
  assert.deepEqual(find("").pages, []);
});

test("names in code, and languages without blanks, are found", () => {
  assert.equal(find("track").pages[0].page.url, "server/");
  assert.equal(find("连接").pages[0].page.url, "gdpr/");
  assert.equal(find("设置").pages[0].page.url, "gdpr/");
});

test("an excerpt marks what was found", () => {
  assert.deepEqual(excerpt("What the GDPR says.", new Set(["gdpr"])), ["What the ", "GDPR", " says."]);
  assert.deepEqual(excerpt("连接设置", new Set(["设置"])), ["连接", "设置"]);
  assert.match(excerpt(`${"far ".repeat(50)}here it is`, new Set(["here"]))[0], /^…/);
});

test("identifiers are found as typed, in any spelling, and by their parts", () => {
  const code = new Texts();
  code.add(0, [
    page("python/", "Events", ["", "", "", "record_exception"]),
    page("js/", "Events", ["", "", "", "span.recordException"]),
    page("words/", "Record an exception", ["", "", "Text.", ""]),
    page("options/", "Options", ["", "", "Use --no-watch and data-level.", ""]),
  ]);
  const urls = (typed) => code.find(terms(typed), everywhere, new Set()).pages.map(({ page }) => page.url);
  assert.deepEqual(urls("record_exception"), ["python/", "js/"]);
  assert.deepEqual(urls("recordException"), ["js/", "python/"]);
  assert.deepEqual(urls("exception_record")[0], "words/");
  for (const typed of ["--no-watch", "data-level", "nowatch"]) assert.deepEqual(urls(typed), ["options/"], typed);
});

test("names of platforms, tutorials and folders are words of a page, and steps come first", () => {
  const sites = new Texts();
  sites.add(0, [page("guide/install/", "Install", ["", "", "Text.", ""])]);
  sites.add(1, [page("tour/web/install/", "Install", ["", "", "Text.", ""])], ["Tour", "Browser"]);
  const urls = (typed) => sites.find(terms(typed), everywhere, new Set()).pages.map(({ page }) => page.url);
  assert.deepEqual(urls("install"), ["tour/web/install/", "guide/install/"]);
  for (const typed of ["browser install", "install tour", "web install"]) assert.deepEqual(urls(typed), ["tour/web/install/"], typed);
  assert.deepEqual(urls("guide install"), ["guide/install/"]);
});

test("a title is found by its words in one", () => {
  const titles = new Texts();
  titles.add(0, [page("keys/", "Front matter", ["", "", "", ""]), page("front/", "Front", ["", "", "Other matter.", ""])]);
  assert.deepEqual(titles.find(terms("frontmatter"), everywhere, new Set()).pages.map(({ page }) => page.url), ["keys/"]);
});

test("another spelling is looked up where words that begin as typed are rare", () => {
  const logs = new Texts();
  const loggers = ["a", "b", "c", "d"].map((name) => page(`${name}/`, `Custom logger ${name}`, ["", "", "A logger.", ""]));
  logs.add(0, [...loggers, page("e/", "Errors", ["", "", "A custom error.", "logError"])]);
  assert.match(logs.find(terms("custom loger"), everywhere, new Set()).pages[0].page.title, /^Custom logger/);
});

test("synonyms answer each other, and a phrase may be one", () => {
  const synonyms = [["log in", "sign in"], ["bucket", "s3"]];
  const urls = (typed) => {
    const found = new Texts();
    found.add(0, [page("one/", "Log in", ["", "", "Text.", ""]), page("two/", "Buckets", ["", "", "A bucket.", ""])]);
    return found.find(terms(typed, synonyms), everywhere, new Set()).pages.map(({ page }) => page.url);
  };
  assert.deepEqual(urls("sign in"), ["one/"]);
  assert.deepEqual(urls("S3"), ["two/"]);
  assert.deepEqual(urls("sign"), []);
});

test("the best parts with the words are loaded, and no more pages than an answer needs", async () => {
  // Each sum is eight times the position of a part and the level there.
  const lists = { batch: [1, 10], send: [3, 16, 13], sent: [25] };
  const listOf = async () => lists;
  const catalogue = { parts: [["0", 20, null, null], ["1", 20, null, null], ["2", 20, 0, null], ["3", 20, null, null], ["4", 20, 0, null]] };
  const chosen = async (typed, scope = [0, 1, 2, 3, 4]) => choose(terms(typed), scope, catalogue, new Set(), listOf);
  assert.equal((await chosen("batch send")).chosen[0], 0);
  assert.deepEqual(await chosen("send"), { chosen: [2, 0], more: true });
  assert.deepEqual(await chosen("anything", [0, 1]), { chosen: [0, 1], more: false });
  assert.equal(fileOf("send", { files: 1, letters: 1 }), 0);
  assert.equal(fileOf("s", { files: 8, letters: 2 }), undefined);
});
