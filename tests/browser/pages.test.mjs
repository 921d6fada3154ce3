// Every kind of page, at three widths, in both themes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { build, kinds, launch, root, serveFolder } from "./support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser, server;

before(async () => {
  server = await serveFolder(await build(root));
  browser = await launch();
});
after(async () => {
  await browser.close();
  server.close();
});

/** Opens a page and notes what it says and asks for. */
async function open(path, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const heard = [];
  page.on("console", (message) => heard.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url)) heard.push(`asks another host: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && response.url() !== server.url + path) heard.push(`${response.status()}: ${response.url()}`);
  });
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shift += entry.value)))
      .observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(server.url + path, { waitUntil: "load" });
  return { page, heard, close: () => context.close() };
}

for (const [kind, path] of Object.entries(kinds)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 768, 320]) {
      test(`${kind}, ${colorScheme}, ${width} px`, async () => {
        const { page, heard, close } = await open(path, { colorScheme, viewport: { width, height: 900 } });
        // The answer to a page that is not there is a 404, which Chromium mentions.
        const said = heard.filter((message) => !(kind === "not found" && message.includes("404")));
        assert.deepEqual(said, []);
        const found = await page.evaluate(() => ({
          sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          h1: document.querySelectorAll("h1").length,
          unsized: [...document.images].filter((image) => !image.hasAttribute("width") || !image.hasAttribute("height")).length,
          shift: window.shift,
        }));
        assert.deepEqual(found, { sideways: 0, h1: 1, unsized: 0, shift: 0 });
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() =>
          window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
        const shown = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
        assert.deepEqual(shown, []);
        await close();
      });
    }
  }
}

test("a settings table never makes the page scroll sideways, and its box can be reached by keyboard", async () => {
  const { page, close } = await open(kinds["step with settings"], { viewport: { width: 320, height: 900 } });
  const box = page.locator(".table.settings").first();
  await box.focus();
  assert.equal(await box.evaluate((element) => element === document.activeElement), true);
  assert.equal(await box.evaluate((element) => element.getBoundingClientRect().right <= innerWidth), true);
  await close();
});

test("a setting's row is where its anchor leads", async () => {
  const path = `${kinds["step with settings"]}#setting-send-as-batch`;
  const { page, close } = await open(path, { viewport: { width: 1280, height: 600 } });
  const row = page.locator("tr:target");
  assert.match(await row.innerText(), /^Send as Batch/);
  await row.waitFor({ state: "visible" });
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector("tr:target").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await close();
});
