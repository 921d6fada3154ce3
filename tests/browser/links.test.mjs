// Every link of the built site, followed by a crawler that knows nothing of how it was built.
import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { build, differing, everything, root } from "./support.mjs";

const decode = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&#x27;", "'");

async function crawl(folder, base, atLeast) {
  const wrong = [];
  const pages = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".html")) continue;
    const file = join(entry.parentPath, entry.name);
    const html = await readFile(file, "utf8");
    // Code may show links; it does not hold any.
    const markup = html.replace(/<pre[\s\S]*?<\/pre>/g, "");
    const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map((match) => decode(match[1]));
    const targets = [...markup.matchAll(/\s(?:href|src)="([^"]*)"/g)].map((match) => decode(match[1]));
    pages.set(file, { ids, targets });
    if (new Set(ids).size !== ids.length) wrong.push(`${relative(folder, file)}: an id twice`);
  }
  for (const [file, { targets }] of pages) {
    const page = new URL(`http://site${base}/${relative(folder, file).replace(/index\.html$/, "")}`);
    for (const target of targets) {
      const url = new URL(target, page);
      if (url.host !== "site") continue;
      const say = (what) => wrong.push(`${relative(folder, file)}: ${target} ${what}`);
      if (!url.pathname.startsWith(`${base}/`)) {
        say("leaves the base path");
        continue;
      }
      let path = join(folder, decodeURIComponent(url.pathname.slice(base.length)));
      if (url.pathname.endsWith("/")) path = join(path, "index.html");
      if (!(await stat(path).catch(() => null))?.isFile()) say("does not exist");
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (anchor && !pages.get(path)?.ids.includes(anchor)) say("has no such anchor");
    }
  }
  assert.ok(pages.size >= atLeast);
  assert.deepEqual(wrong, []);
}

test("every link of the site leads somewhere", async () => crawl(await build(root), "", 30));

test("and so below a base path", async () =>
  crawl(await build(root, "--base-url", "https://docs.example.com/sub/"), "/sub", 30));

test("and in a site that holds everything", async () => crawl(await build(everything, "--drafts"), "", 8));

test("and in one whose platforms differ", async () => crawl(await build(differing), "", 8));
