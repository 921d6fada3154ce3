// The problem matcher parses the human output of `stepkin check`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { folder, root } from "./support.mjs";

test("the problem matcher finds severity, code, message and place", async () => {
  const site = await folder();
  await mkdir(join(site, "content"));
  await writeFile(join(site, "content/index.md"), "---\ntitle: Home\n---\n\n[gone](/gone/)\n");
  const binary = process.env.STEPKIN_BIN ?? join(root, "target/debug/stepkin");
  const { stdout } = spawnSync(binary, ["check", "--format", "human", "--root", site], { encoding: "utf8" });
  const { problemMatcher } = JSON.parse(await readFile(join(root, ".github/problem-matcher.json"), "utf8"));
  const [first, second] = problemMatcher[0].pattern.map(({ regexp }) => new RegExp(regexp));
  const lines = stdout.split("\n");
  assert.deepEqual(first.exec(lines[0]).slice(1), ["error", "missing-page", "page `/gone/` doesn't exist"]);
  assert.deepEqual(second.exec(lines[1]).slice(1), ["content/index.md", "5", "8"]);
});
