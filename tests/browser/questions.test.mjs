// The manual's search answers the questions of readers: the right page is among the first three results, and little is loaded for it.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { asking, questions } from "./asking.mjs";
import { build, root } from "./support.mjs";

/** Bytes that an answer may load, compressed, from the home page and with the search itself. */
const MOST = 150_000;

let ask;

before(async () => {
  ask = await asking(await build(root));
});

for (const [question, answer] of Object.entries(questions.manual)) {
  test(`the manual answers “${question}”`, async () => {
    const { urls, bytes } = await ask(question);
    const first = urls.slice(0, 3);
    assert.ok(first.some((url) => new RegExp(answer).test(url)), `found ${first.join(", ")}`);
    assert.ok(bytes <= MOST, `${bytes} bytes`);
  });
}
