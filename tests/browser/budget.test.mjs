// What a step page loads weighs little: gzipped at most 6 KB of scripts and 10 KB of style.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build, everything } from "./support.mjs";

test("scripts and styles of a step page are within their budgets", async () => {
  const site = await build(everything);
  const weigh = async (path, pattern) => {
    const page = await readFile(`${site}${path}index.html`, "utf8");
    const files = [...page.matchAll(pattern)].map(([, url]) => url);
    assert.ok(files.length > 0);
    const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(site + file), { level: 9 }).length));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const scripts = await weigh("/tour/ios/everything/", /<script [^>]*src="([^"]+)"/g);
  const styles = await weigh("/tour/ios/everything/", /<link rel="stylesheet" href="([^"]+)"/g);
  assert.ok(scripts <= 6 * 1024, `${scripts} bytes of scripts`);
  assert.ok(styles <= 10 * 1024, `${styles} bytes of style`);
});
