// Tabs: by keyboard, synchronized in their group, remembered, and plain text without scripts.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { build, everything, folder, serveFolder, visiting } from "./support.mjs";

const visit = visiting(async () => serveFolder(await build(everything)));
const url = () => `${visit.server.url}/tour/web/everything/`;

const selected = (page) => page.locator("[role=tab][aria-selected=true]").allInnerTexts();
const shown = (page) => page.locator(".tab:visible").evaluateAll((tabs) => tabs.map((tab) => tab.innerText.trim().split("\n").at(-1)));

test("one tab of each set is shown, and all of a group show the same once one is chosen", async () => {
  const page = await visit.browser.newPage();
  await page.goto(url());
  assert.deepEqual(await selected(page), ["Linux", "Windows"]);
  await page.getByRole("tab", { name: "Windows" }).first().click();
  assert.deepEqual(await selected(page), ["Windows", "Windows"]);
  assert.deepEqual(await shown(page), ["Open it.", "Close it."]);
  await page.reload();
  assert.deepEqual(await selected(page), ["Windows", "Windows"]);
  await page.close();
});

test("the arrows, Home and End go through the tabs, which are one stop of the tabulator", async () => {
  const page = await visit.browser.newPage();
  await page.goto(url());
  await page.getByRole("tab", { name: "Linux" }).first().focus();
  for (const [key, expected] of [["ArrowRight", "Windows"], ["ArrowRight", "Linux"], ["ArrowLeft", "Windows"], ["Home", "Linux"], ["End", "Windows"]]) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), expected, key);
    assert.equal((await selected(page))[0], expected);
  }
  assert.equal(page.url(), url());
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(".tabs").first().evaluate((set) => set.contains(document.activeElement)), false);
  await page.close();
});

test("without scripts, and on paper, every tab is there under its label", async () => {
  const plain = await visit.browser.newPage({ javaScriptEnabled: false });
  await plain.goto(url());
  assert.equal(await plain.locator(".tab:visible").count(), 4);
  assert.deepEqual(await plain.locator(".tab-label:visible").allInnerTexts(), ["Linux", "Windows", "Windows", "Linux"]);
  await plain.close();
  const page = await visit.browser.newPage();
  await page.goto(url());
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".tab:visible").count(), 4);
  assert.equal(await page.locator(".tab-label:visible").count(), 4);
  await page.close();
});

test("tabs are tabs on every kind of page", async () => {
  const site = await folder();
  const pages = ["index", "about", "tour/index", "tour/web/start", "tour/ios/start"];
  for (const name of pages) {
    const file = join(site, "content", `${name}.md`);
    await mkdir(dirname(file), { recursive: true });
    const order = name.endsWith("start") ? "order: 1\n" : "";
    await writeFile(file, `---\ntitle: ${name}\n${order}---\n\n<tabs>\n<tab label="One">\n\nFirst.\n\n</tab>\n<tab label="Two">\n\nSecond.\n\n</tab>\n</tabs>\n`);
  }
  const server = await serveFolder(await build(site));
  const page = await visit.browser.newPage();
  for (const path of ["/", "/about/", "/tour/", "/tour/web/start/"]) {
    await page.goto(server.url + path);
    assert.deepEqual(await page.locator("[role=tab]").allInnerTexts(), ["One", "Two"], path);
    assert.deepEqual(await shown(page), ["First."], path);
  }
  await page.close();
  server.close();
});
