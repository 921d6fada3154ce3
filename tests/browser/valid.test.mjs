// Every built page is valid HTML and accessible to readers who can't see it.
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { FileSystemConfigLoader, HtmlValidate } from "html-validate";
import { build, differing, everything, root } from "./support.mjs";

const validator = new HtmlValidate(
  new FileSystemConfigLoader({
    root: true,
    extends: ["html-validate:standard", "html-validate:a11y"],
    rules: {
      // IDs follow GitHub's rule: `41-create-your-connection`.
      "valid-id": ["error", { relaxed: true }],
      // Search results are links, which a `<select>` can't contain.
      "prefer-native-element": ["error", { exclude: ["listbox"] }],
      // The filter of a comparison reacts to typing.
      "wcag/h32": "off",
    },
  }),
);

for (const [name, from] of Object.entries({ sample: root, everything, differing })) {
  test(`every page of ${name} is valid HTML`, async () => {
    const site = await build(from, "--drafts");
    const wrong = [];
    let pages = 0;
    for (const file of await readdir(site, { recursive: true })) {
      if (!file.endsWith(".html")) continue;
      pages += 1;
      const { results } = await validator.validateFile(join(site, file));
      for (const { messages } of results) {
        wrong.push(...messages.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`));
      }
    }
    assert.ok(pages >= 8);
    assert.deepEqual(wrong, []);
  });
}
