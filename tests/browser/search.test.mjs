// The search: by keyboard, on a platform, under a subpath, with nothing loaded before it is asked for.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { build, root, searching, serveFolder, serveWatching, visiting } from "./support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];
const step = "/developers/quickstart/ios/create-connection/";
const visit = visiting(async () => serveFolder(await build(root), { policy: searching }));

/** Opens a page; `asked` and `heard` are what it asks for and what it complains about. */
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

/** Opens the search and types; gives the titles that are found. */
async function find(page, words) {
  if (!(await field(page).isVisible())) await page.keyboard.press("/");
  await field(page).fill("");
  await field(page).pressSequentially(words);
  await page.locator(".finder [role=status]:not(:empty)").waitFor();
  return titles(page);
}

const titles = (page) => page.locator(".finder [role=option] strong").allInnerTexts();
const trails = (page) => page.locator(".finder [role=option] small").allInnerTexts();

test("nothing of it is loaded before it is asked for", async () => {
  const { page, asked, heard } = await open();
  const before = asked.map(({ pathname }) => pathname).filter((path) => path.includes("search"));
  assert.equal(before.length, 1);
  assert.match(before[0], /^\/_stepkin\/search-loader\.[0-9a-f]{10}\.js$/);
  await find(page, "connection");
  assert.ok(asked.some(({ pathname }) => pathname === "/_stepkin/search/pagefind.js"));
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

test("what only another platform has is one press away", async () => {
  const { page } = await open("/developers/quickstart/ios/overview/");
  assert.deepEqual(await find(page, "coroutines"), []);
  assert.equal(await page.locator(".finder [role=status]").innerText(), "Nothing found on iOS");
  await page.getByRole("button", { name: "Search all platforms" }).click();
  await options(page).first().waitFor();
  assert.match((await trails(page)).join(), /Android/);
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
  const nested = await serveFolder(await build(root, "--base-url", "/docs/pagefind/"), { policy: searching, below: "/docs/pagefind" });
  const { page, heard } = await open("/docs/pagefind" + step, {}, nested.url);
  await find(page, "send as batch");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/pagefind\/developers\/.*#setting-/);
  assert.ok(await page.locator("tr:target").isVisible());
  assert.deepEqual(heard, []);
  await page.close();
  nested.close();
});

test("the server indexes when it is first asked", async () => {
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
