// The search's words, spellings and order of results, without a browser.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support.mjs";

const source = await readFile(join(root, "static/_stepkin/search-texts.js"), "utf8");
const { Texts, distance, excerpt, fileOf, likeness, parts, words } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

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
const find = (typed, isAsked = everywhere) => texts.find(words(typed, false), isAsked, new Set(["how", "do", "i"]));
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

test("the parts with all words are found by the files of words", () => {
  const list = { batch: [0, 3], send: [1, 4], sent: [6] };
  assert.deepEqual(parts(["batch", "send"], [list, list], new Set()), [0]);
  assert.deepEqual(parts(["sned"], [list], new Set()), [0, 2]);
  assert.deepEqual(parts(["batch", "nowhere"], [list, list], new Set()), [1, 0]);
  assert.equal(fileOf("send", { files: 1, letters: 1 }), 0);
  assert.equal(fileOf("s", { files: 8, letters: 2 }), undefined);
});
