// Pages outside tutorials: each is reachable from the home page, and shows its location.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { build, folder, serveFolder, visiting } from "./support.mjs";

/** A site with 600 plain pages in four levels, most with the same titles, and a tutorial. */
async function plain() {
  const site = await folder();
  const pages = { "stepkin.toml": 'title = "Ferry"\n', "content/index.md": "---\ntitle: Ferry\n---\nText.\n" };
  for (const platform of ["web", "ios"]) {
    pages[`content/guides/start/${platform}/install.md`] = "---\ntitle: Install\norder: 1\n---\nText.\n";
  }
  for (let top = 0; top < 5; top++) {
    pages[`content/part-${top}/index.md`] = `---\ntitle: Part ${top}\n---\nText.\n`;
    for (let service = 0; service < 24; service++) {
      for (const name of ["audience", "event", "feed", "limits/rates"]) {
        const words = name.split("/").at(-1);
        pages[`content/part-${top}/service-${service}/${name}.md`] = `---\ntitle: ${words[0].toUpperCase()}${words.slice(1)} settings of one\n---\nWhat ${words} of service ${service} in part ${top} is.\n\n## Names\n\nText.\n\n## Limits\n\nText.\n`;
      }
    }
  }
  for (let page = 0; page < 120; page++) pages[`content/calls/call-${page}.md`] = `---\ntitle: Call ${page}\n---\nText.\n`;
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(dirname(join(site, path)), { recursive: true });
    await writeFile(join(site, path), text);
  }
  return site;
}

const visit = visiting(async () => {
  const site = await plain();
  return serveFolder(await build(site));
});

/** All pages reachable through links from the home page, with their HTML. */
async function crawl(served) {
  const found = new Map();
  const waiting = ["/"];
  while (waiting.length) {
    const path = waiting.pop();
    if (found.has(path)) continue;
    found.set(path, await readFile(join(served, path, "index.html"), "utf8"));
    for (const [, href] of found.get(path).matchAll(/<a\b[^>]*? href="(\/[^"#]*\/)/g)) waiting.push(href);
  }
  return found;
}

test("links lead from the home page to every page", async () => {
  const found = await crawl(visit.server.folder);
  const pages = [...found.keys()].filter((path) => /^\/(part|calls)/.test(path));
  // The pages themselves, and the folders of services. The one of their limits contains a single page and isn't listed.
  assert.equal(pages.length, 5 + 5 * 24 * 4 + 120 + 5 * 24 + 1);
  const turned = (path) => found.get(path).match(/<a rel="next" href="([^"]*)"/)?.[1];
  let count = 0;
  for (let path = "/part-0/"; path; path = turned(path)) count++;
  assert.equal(count, 1 + 24 * 5, "next leads through the whole section");
});

test("no two pages have the same title, and each says what it is about", async () => {
  const found = await crawl(visit.server.folder);
  const titles = new Map();
  for (const [path, html] of found) {
    const title = html.match(/<title>(.*?)<\/title>/s)[1];
    assert.equal(titles.get(title), undefined, `${path}: ${title}`);
    titles.set(title, path);
    if (/event|feed/.test(path)) assert.match(html, /<meta name="description" content="What (event|feed) of service/);
  }
});

test("a page says where it is, and lists what is around it", async () => {
  const page = await visit.browser.newPage({ viewport: { width: 1400, height: 900 }, javaScriptEnabled: false });
  await page.goto(visit.server.url + "/part-1/service-7/event/");
  assert.deepEqual(await page.locator(".crumbs a").allTextContents(), ["Ferry", "Part 1", "Service 7"]);
  assert.equal(await page.locator(".rail [aria-current=page]").innerText(), "Event settings of one");
  assert.equal(await page.locator(".rail > details > ul > li").count(), 24);
  assert.equal(await page.locator(".rail ul ul > li").count(), 4);
  // A short title takes one line.
  assert.ok((await page.locator(".rail li a").first().boundingBox()).height < 40);
  assert.equal(await page.locator(".turn [rel=prev]").innerText(), "Previous in Service 7\nAudience settings of one");
  await page.goto(visit.server.url + "/calls/call-60/");
  assert.equal(await page.locator(".rail li").last().innerText(), "All 120");
  await page.locator(".rail li a").last().click();
  assert.equal(await page.locator(".places li").count(), 120);
  await page.close();
});

test("nothing is wider than a narrow window", async () => {
  const page = await visit.browser.newPage({ viewport: { width: 360, height: 780 } });
  for (const path of ["/", "/part-1/", "/part-1/service-7/", "/part-1/service-7/event/", "/calls/", "/calls/call-60/", "/guides/start/"]) {
    await page.goto(visit.server.url + path);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, path);
  }
  await page.close();
});
