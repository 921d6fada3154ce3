// Follows every link of the built site with an independent crawler.
import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, differing, everything, root } from "./support.mjs";

const decode = (text) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&#x27;", "'");

/** Maps between a page's URL and files, as on a web server. */
const served = (base) => (folder) => ({
  address: (file) => new URL(`http://site${base}/${relative(folder, file).replace(/index\.html$/, "")}`),
  isOurs: (url) => url.host === "site",
  file(url) {
    if (!url.pathname.startsWith(`${base}/`)) return null;
    const path = join(folder, decodeURIComponent(url.pathname.slice(base.length)));
    return url.pathname.endsWith("/") ? join(path, "index.html") : path;
  },
});

/** The same for a browser that opens the folder from disk, where folders have no index page. */
const onDisk = (folder) => ({
  address: (file) => pathToFileURL(file),
  isOurs: (url) => url.protocol === "file:",
  file: (url) => (fileURLToPath(url).startsWith(folder) ? fileURLToPath(url) : null),
});

async function crawl(folder, way, { atLeast, skip }) {
  const { address, isOurs, file: fileOf } = way(folder);
  const wrong = [];
  const pages = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".html")) continue;
    if (entry.name === skip) continue;
    const file = join(entry.parentPath, entry.name);
    const html = await readFile(file, "utf8");
    // Code may show links, but doesn't contain any.
    const markup = html.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, "");
    const ids = [...markup.matchAll(/\sid="([^"]*)"/g)].map((match) => decode(match[1]));
    const targets = [...markup.matchAll(/(?:\s(?:href|src)="|content="0; url=)([^"]*)"/g)].map((match) => decode(match[1]));
    pages.set(file, { ids, targets });
    if (new Set(ids).size !== ids.length) wrong.push(`${relative(folder, file)}: an id twice`);
  }
  for (const [file, { targets }] of pages) {
    for (const target of targets) {
      const url = new URL(target, address(file));
      if (!isOurs(url)) continue;
      const say = (what) => wrong.push(`${relative(folder, file)}: ${target} ${what}`);
      const path = fileOf(url);
      if (!path) {
        say("leaves the site");
        continue;
      }
      if (!(await stat(path).catch(() => null))?.isFile()) say("doesn't exist");
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (anchor && !pages.get(path)?.ids.includes(anchor)) say("has no such anchor");
    }
  }
  assert.ok(pages.size >= atLeast);
  assert.deepEqual(wrong, []);
}

test("every link of the site leads somewhere", async () => crawl(await build(root), served(""), { atLeast: 30 }));

test("and so below a base path", async () =>
  crawl(await build(root, "--base-url", "https://docs.example.com/sub/"), served("/sub"), { atLeast: 30 }));

test("and in a site that holds everything", async () => crawl(await build(everything, "--drafts"), served(""), { atLeast: 8 }));

test("and in one whose platforms differ", async () => crawl(await build(differing), served(""), { atLeast: 8 }));

// A server shows it at any depth, so its links are root-relative. On disk, it isn't shown.
const skip = "404.html";

test("links that are relative lead from file to file", async () => {
  await crawl(await build(root, "--relative"), onDisk, { atLeast: 29, skip });
  await crawl(await build(everything, "--drafts", "--relative"), onDisk, { atLeast: 7, skip });
});

test("and below any path of a server", async () =>
  crawl(await build(root, "--relative", "--base-url", "https://docs.example.com/sub/"), served("/elsewhere"), { atLeast: 29, skip }));
