// The search: by keyboard, on a platform, with a base path, and without loading anything in advance.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build, root, searching, serveFolder, serveWatching, visiting } from "./support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];
const step = "/developers/quickstart/ios/create-connection/";
const visit = visiting(async () => serveFolder(await build(root), { policy: searching }));

/** Opens a page. `asked` contains its requests, and `heard` its console messages. */
async function open(path = step, options = {}, url = visit.server.url) {
  const page = await visit.browser.newPage(options);
  const asked = [], heard = [];
  page.on("request", (request) => asked.push(new URL(request.url())));
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(error.message));
  page.on("response", (response) => response.status() >= 400 && heard.push(`${response.status()} ${response.url()}`));
  await page.goto(url + path, { waitUntil: "networkidle" });
  return { page, asked, heard };
}

const field = (page) => page.getByRole("combobox");
const options = (page) => page.getByRole("option");

/** Opens the search, types, and returns the titles of the results. */
async function find(page, words) {
  if (!(await field(page).isVisible())) await page.keyboard.press("/");
  await field(page).fill("");
  await page.locator(".finder [role=status]:empty").waitFor({ state: "attached" });
  await field(page).fill(words);
  await page.locator(".finder [role=status]:not(:empty)").waitFor();
  return titles(page);
}

const said = (page) => page.locator(".finder [role=status]").innerText();
const titles = (page) => page.locator(".finder [role=option] strong").allInnerTexts();
const trails = (page) => page.locator(".finder [role=option] small").allInnerTexts();

test("nothing of it is loaded before it is asked for", async () => {
  const { page, asked, heard } = await open();
  const before = asked.map(({ pathname }) => pathname).filter((path) => path.includes("search"));
  assert.deepEqual(before, []);
  await find(page, "connection");
  assert.ok(asked.some(({ pathname }) => pathname === "/_stepkin/search/catalogue.json"));
  assert.deepEqual(asked.filter(({ origin }) => origin !== visit.server.url), []);
  assert.deepEqual(heard, []);
  await page.close();
});

test("a setting is found by its name, and Enter leads to its row", async () => {
  const { page, heard } = await open("/developers/quickstart/ios/overview/");
  const [first] = await find(page, "send as batch");
  assert.match(first, /send as batch/i);
  await page.keyboard.press("Enter");
  await page.waitForURL(/#setting-/);
  assert.match(new URL(page.url()).pathname, /\/ios\//);
  assert.match(await page.locator("tr:target").innerText(), /send as batch/i);
  assert.deepEqual(heard, []);
  await page.close();
});

test("a row of the page that is open is shown on it", async () => {
  const { page } = await open();
  await find(page, "send as batch");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#setting-/);
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.ok(await page.locator("tr:target").isVisible());
  await page.close();
});

test("Enter right after the last letter waits for the answer", async () => {
  const { page } = await open("/developers/quickstart/web/overview/");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("send as batch");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/web\/.*#setting-/);
  await page.close();
});

test("the page's platform is preset, and can be changed and lifted", async () => {
  const { page } = await open();
  await find(page, "connection");
  assert.equal(await page.getByRole("radio", { name: "iOS" }).isChecked(), true);
  assert.ok((await trails(page)).every((trail) => !/Web|Android/.test(trail)));
  await page.getByRole("radio", { name: "Android" }).check();
  await page.locator(".finder small", { hasText: "Android" }).first().waitFor();
  assert.ok((await trails(page)).every((trail) => !/Web|iOS/.test(trail)));
  await page.getByRole("radio", { name: "All platforms" }).check();
  await page.locator(".finder small", { hasText: "iOS" }).first().waitFor();
  const all = (await trails(page)).join();
  for (const platform of ["Web", "iOS", "Android"]) assert.ok(all.includes(platform), platform);
  await page.close();
});

test("what only another platform has is shown unasked, and that it is elsewhere is said", async () => {
  const { page, heard } = await open("/developers/quickstart/ios/overview/");
  assert.notDeepEqual(await find(page, "coroutines"), []);
  assert.match(await said(page), /^Nothing found on iOS · \d+ pages? elsewhere$/);
  assert.ok((await trails(page)).every((trail) => /Android/.test(trail)));
  assert.deepEqual(heard, []);
  await page.close();
});

test("what is nowhere is not found", async () => {
  const { page } = await open();
  assert.deepEqual(await find(page, "xyzzyplugh"), []);
  assert.equal(await said(page), "Nothing found on iOS");
  await page.close();
});

test("words that are spelled nearly so are found, and what is meant is said", async () => {
  const { page } = await open();
  for (const [typed, expected] of [["sned as batch", "Send as Batch"], ["conection mdoes", "4.2 Connection modes"]]) {
    const [first] = await find(page, typed);
    assert.equal(first, expected);
    assert.match(await said(page), new RegExp(`for “${expected.toLowerCase().replace("4.2 ", "")}”`));
  }
  assert.match((await find(page, "connectoin"))[0], /connection/i);
  await page.close();
});

test("of a question the words that tell most are searched", async () => {
  const { page } = await open();
  const found = await find(page, "how do I send events from my server");
  assert.ok(found.length > 0);
  await page.close();
});

test("a word is found by its beginning and in another form", async () => {
  const { page } = await open();
  for (const typed of ["conn", "connections", "connecting"]) assert.match((await find(page, typed)).join(), /connection/i, typed);
  await page.close();
});

test("before there are words, the sections of the page and the places that were gone to last are there", async () => {
  const { page, heard } = await open("/developers/quickstart/web/create-connection/");
  await page.keyboard.press("/");
  const group = (name) => page.getByRole("group", { name });
  await options(page).first().waitFor();
  const sections = await group("On this page").getByRole("option").allInnerTexts();
  assert.deepEqual(sections, await page.locator(".toc a").evaluateAll((links) => links.map((link) => link.textContent)));
  assert.equal(await group("Recent").count(), 0);
  assert.equal(await page.locator(".finder [aria-selected=true]").count(), 0);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(page.url(), /#/);
  await find(page, "send as batch");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#setting-/);
  await page.goto(visit.server.url + "/about/");
  await page.keyboard.press("/");
  const place = group("Recent").getByRole("option");
  assert.match(await place.innerText(), /^Send as Batch/);
  await place.click();
  await page.waitForURL(/\/web\/.*#setting-/);
  assert.deepEqual(heard, []);
  await page.close();
});

test("where nothing stands, the nearest pages are listed, and a search is there", async () => {
  const { page, heard } = await open("/developers/quickstart/ios/create-conection/");
  await page.getByRole("searchbox", { name: "Search" }).waitFor();
  const links = page.locator(".nearest a");
  await links.first().waitFor();
  assert.equal(new URL(await links.first().evaluate((link) => link.href)).pathname, "/developers/quickstart/ios/create-connection/");
  await page.getByRole("searchbox", { name: "Search" }).fill("send as batch");
  await page.keyboard.press("Enter");
  await options(page).first().waitFor();
  assert.match((await titles(page))[0], /send as batch/i);
  assert.deepEqual(heard.filter((line) => !line.includes("404")), []);
  await page.close();
});

test("the first answer is small", async () => {
  const { page } = await open(step);
  // The browser may drop a body that is read later.
  const answers = [];
  page.on("response", (answer) => answers.push(answer.body()));
  await find(page, "send");
  const bodies = await Promise.all(answers);
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  assert.ok(bytes <= 24 * 1024 && answers.length <= 7, `${bytes} bytes in ${answers.length} answers`);
  await page.close();
});

test("the arrows go round the places, and Escape gives the focus back", async () => {
  const { page } = await open();
  const link = page.locator(".turn a").first();
  await link.focus();
  await find(page, "connection");
  const chosen = () => page.locator(".finder [aria-selected=true]").evaluateAll((places) => places.map(({ id }) => id));
  const count = await options(page).count();
  assert.ok(count > 2);
  const [first] = await chosen();
  await page.keyboard.press("ArrowDown");
  const [second] = await chosen();
  assert.notEqual(second, first);
  assert.equal(await field(page).getAttribute("aria-activedescendant"), second);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.deepEqual(await chosen(), [await options(page).last().getAttribute("id")]);
  await page.keyboard.press("ArrowDown");
  assert.deepEqual(await chosen(), [first]);
  assert.equal(await field(page).evaluate((input) => input === document.activeElement), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.equal(await link.evaluate((link) => link === document.activeElement), true);
  await page.close();
});

test("a slash that is typed into the search stays there", async () => {
  const { page } = await open();
  await page.keyboard.press("/");
  await field(page).waitFor();
  await page.keyboard.type("a/b");
  assert.equal(await field(page).inputValue(), "a/b");
  await page.close();
});

test("the home page searches everything, and finds pages that belong to no platform", async () => {
  const { page } = await open("/");
  await page.getByRole("button", { name: "Search" }).click();
  const found = await find(page, "about");
  assert.equal(await page.getByRole("radio", { name: "All platforms" }).isChecked(), true);
  const pages = await options(page).evaluateAll((places) => places.map((place) => new URL(place.href).pathname));
  assert.ok(pages.includes("/about/"), `${found}`);
  await page.close();
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 320]) {
    test(`it holds to what pages hold to: ${colorScheme}, ${width} px`, async () => {
      const { page } = await open(step, { colorScheme, viewport: { width, height: 900 } });
      for (const words of ["connection", "nosuchword"]) {
        await find(page, words);
        await page.evaluate(axe);
        const { violations } = await page.evaluate((runOnly) => window.axe.run({ runOnly }), rules);
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`), []);
        const box = await page.locator(".finder").boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= width);
      }
      await page.close();
    });
  }
}

test("it works below a path", async () => {
  const nested = await serveFolder(await build(root, "--base-url", "/docs/search/"), { policy: searching, below: "/docs/search" });
  const { page, heard } = await open("/docs/search" + step, {}, nested.url);
  await find(page, "send as batch");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/search\/developers\/.*#setting-/);
  assert.ok(await page.locator("tr:target").isVisible());
  assert.deepEqual(heard, []);
  await page.close();
  nested.close();
});

test("it works where links lead from page to page, and from disk there is none", async () => {
  const folder = await build(root, "--relative");
  const served = await serveFolder(folder, { policy: searching, below: "/sub" });
  const { page, heard } = await open("/sub" + step, {}, served.url);
  await find(page, "send as batch");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sub\/developers\/.*#setting-/);
  assert.deepEqual(heard, []);
  await page.goto(`file://${folder}${step}index.html`);
  assert.equal(await page.locator("button.search").isVisible(), false);
  await page.keyboard.press("/");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.deepEqual(heard, []);
  await page.close();
  served.close();
});

test("the server makes what is asked", async () => {
  const served = await serveWatching(root);
  const page = await visit.browser.newPage();
  await page.goto(served.url + step);
  const [first] = await find(page, "send as batch");
  assert.match(first, /send as batch/i);
  await page.close();
  served.close();
});

test("without scripts there is no button", async () => {
  const { page } = await open(step, { javaScriptEnabled: false });
  assert.equal(await page.locator(".search").isVisible(), false);
  await page.close();
});

test("commands are found by their words, and run", async () => {
  const { page, heard } = await open(step, { permissions: ["clipboard-read", "clipboard-write"] });
  const commands = page.getByRole("group", { name: "Commands" }).getByRole("option");
  await page.keyboard.press("/");
  await field(page).fill(">");
  await commands.first().waitFor();
  assert.ok((await commands.count()) >= 3);
  // The color mode changes in view.
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await field(page).fill("> dark");
  await page.waitForFunction(() => document.querySelectorAll(".finder [role=option]").length === 1);
  await page.keyboard.press("Enter");
  await page.waitForFunction((before) => document.documentElement.dataset.theme !== before, before);
  assert.ok(await page.getByRole("dialog").isVisible());
  // The page is copied.
  await field(page).fill("> copy");
  await commands.filter({ hasText: "Copy as Markdown" }).click();
  await page.locator(".finder [role=status]").filter({ hasText: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^# /m);
  // They follow results.
  await field(page).fill("progress");
  await commands.filter({ hasText: /progress/i }).first().click();
  await page.locator("#stepkin-progress[open]").waitFor();
  assert.equal(await page.locator(".finder[open]").count(), 0);
  await page.keyboard.press("Escape");
  // Another platform.
  await page.keyboard.press("/");
  await field(page).fill("> platform web");
  await commands.filter({ hasText: "Web" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/web\/create-connection\//);
  assert.deepEqual(heard, []);
  await page.close();
});
