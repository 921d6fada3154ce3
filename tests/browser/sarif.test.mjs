// SARIF output of `check` matches its schema, from which the types are generated.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support.mjs";

test("a SARIF log is of the type that the schema says", async () => {
  const binary = process.env.STEPKIN_BIN ?? join(root, "target/debug/stepkin");
  const site = join(root, "tests/fixtures/as-found");
  const { stdout } = spawnSync(binary, ["check", "--format", "sarif", "--root", site], { encoding: "utf8" });
  assert.ok(JSON.parse(stdout).runs[0].results.length > 10);
  const folder = await mkdtemp(join(tmpdir(), "stepkin-"));
  await symlink(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "log.ts"), `import type { Log } from "sarif";\nexport const log: Log = ${stdout};\n`);
  const tsc = join(import.meta.dirname, "node_modules/typescript/bin/tsc");
  const checked = spawnSync(process.execPath, [tsc, "--noEmit", "--strict", "--types", "sarif", "log.ts"], { cwd: folder, encoding: "utf8" });
  assert.equal(checked.stdout, "");
  assert.equal(checked.status, 0);
});
