// A step page loads little: at most 7 KB of scripts and 8 KB of styles, gzipped.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build, everything, root } from "./support.mjs";

const pages = { sample: [root, "/developers/quickstart/ios/create-connection/"], everything: [everything, "/tour/ios/everything/"] };

async function weigh(site, path, pattern) {
  const page = await readFile(`${site}${path}index.html`, "utf8");
  const files = [...page.matchAll(pattern)].map(([, url]) => url);
  assert.ok(files.length > 0);
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(site + file), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

for (const [name, [from, step]] of Object.entries(pages)) {
  test(`scripts and styles of a step page are within their budgets: ${name}`, async () => {
    const site = await build(from);
    const scripts = await weigh(site, step, /<script [^>]*src="([^"]+)"/g);
    const styles = await weigh(site, step, /<link rel="stylesheet" href="([^"]+)"/g);
    assert.ok(scripts <= 7 * 1024, `${scripts} bytes of scripts`);
    assert.ok(styles <= 8 * 1024, `${styles} bytes of style`);
  });
}
