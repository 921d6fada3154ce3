// Copying code, full-size images, and links, copy buttons and filters for settings.
import assert from "node:assert/strict";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { build, differing, folder, root, serveFolder, visiting } from "./support.mjs";

const settings = "/developers/quickstart/ios/create-connection/";
const code = "/developers/quickstart/android/track-events/";
const visit = visiting(async () => serveFolder(await build(root)));

async function open(path, { permissions = ["clipboard-read", "clipboard-write"], ...options } = {}) {
  const context = await visit.browser.newContext({ viewport: { width: 1280, height: 900 }, permissions, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto(visit.server.url + path);
  return page;
}

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
const said = (page) => page.locator("#stepkin-said").filter({ hasText: /./ });

test("code is copied as it stands, and that is said", async () => {
  const page = await open(code);
  const text = await page.locator("pre code").first().textContent();
  await page.getByRole("button", { name: "Copy", exact: true }).first().click();
  assert.equal(await said(page).innerText(), "Copied");
  assert.equal(await clipboard(page), text.replace(/\n$/, ""));
  await page.context().close();
});

test("removed lines are not copied", async () => {
  const page = await open("/manual/writing/code/");
  const block = page.locator(".code", { has: page.locator("del") }).first();
  const [removed, added] = [await block.locator("del").innerText(), await block.locator("ins").first().innerText()];
  await block.getByRole("button", { name: "Copy", exact: true }).click();
  const copied = await clipboard(page);
  assert.ok(copied.includes(added.trim()) && !copied.includes(removed.trim()), copied);
  assert.doesNotMatch(copied, /\n\n/, "no line is left empty");
  await page.context().close();
});

test("it is copied without the clipboard's permission too, and the focus stays", async () => {
  const page = await open(code, { permissions: ["clipboard-read"] });
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("refused")), readText: navigator.clipboard.readText.bind(navigator.clipboard) } }));
  const button = page.getByRole("button", { name: "Copy", exact: true }).first();
  await button.press("Enter");
  assert.equal(await said(page).innerText(), "Copied");
  assert.equal(await clipboard(page), (await page.locator("pre code").first().textContent()).replace(/\n$/, ""));
  assert.equal(await button.evaluate((button) => button === document.activeElement), true);
  await page.context().close();
});

test("a setting's value is copied, and its row and a section linked", async () => {
  const page = await open(settings);
  await page.getByRole("cell", { name: "Disabled Copy" }).getByRole("button").click();
  assert.equal(await clipboard(page), "Disabled");
  const row = page.getByRole("row", { name: /^Send as Batch/ });
  await page.mouse.move(0, 0);
  assert.equal(await page.getByRole("link", { name: "Link to Send as Batch" }).evaluate((link) => getComputedStyle(link).opacity), "0");
  await row.hover();
  await page.getByRole("link", { name: "Link to Send as Batch" }).click();
  assert.equal(new URL(page.url()).hash, "#setting-send-as-batch");
  assert.equal(await clipboard(page), page.url());
  await page.getByRole("link", { name: "Link to 4.2 Connection modes" }).press("Enter");
  assert.equal(new URL(page.url()).hash, "#42-connection-modes");
  await page.context().close();
});

test("figures open large, and close by key, by button and by a click beside them", async () => {
  const page = await open(settings);
  const link = page.locator("figure a").first();
  const dialog = page.getByRole("dialog", { name: "Image" });
  for (const close of [() => page.keyboard.press("Escape"), () => dialog.getByRole("button").click(), () => page.mouse.click(5, 5)]) {
    await link.press("Enter");
    await dialog.waitFor();
    assert.equal(await dialog.getByRole("img").evaluate((image) => image.decode().then(() => image.alt)), await link.locator("img").getAttribute("alt"));
    await close();
    await dialog.waitFor({ state: "hidden" });
    assert.equal(await link.evaluate((link) => link === document.activeElement), true);
  }
  assert.equal(new URL(page.url()).pathname, settings);
  await page.context().close();
});

test("without scripts a figure leads to its picture", async () => {
  const page = await open(settings, { javaScriptEnabled: false });
  await page.locator("figure a").first().click();
  await page.waitForURL(/\/images\/.*\.png$/);
  await page.context().close();
});

test("a long table of settings is filtered, and a link to a hidden row shows it", async () => {
  const site = await folder();
  await cp(differing, site, { recursive: true });
  const rows = Array.from({ length: 12 }, (_, n) => `| Setting ${"abcdefghijkl"[n]} | ${n} |`).join("\n");
  await writeFile(join(site, "content/long.md"), `---\ntitle: Long\n---\n\n[one](#setting-setting-b)\n\n| Setting | Value |\n| --- | --- |\n${rows}\n`);
  const long = await serveFolder(await build(site));
  const page = await open("/");
  await page.goto(long.url + "/long/");
  const shown = () => page.locator(".settings tbody tr:visible").count();
  await page.getByRole("searchbox", { name: /Find a setting/ }).fill("setting k");
  assert.equal(await shown(), 1);
  assert.equal(await page.locator(".find output").innerText(), "1/12");
  await page.getByRole("link", { name: "one", exact: true }).click();
  // The script shows the row when the browser reports a new URL.
  await page.locator("tr:target").waitFor();
  assert.equal(await shown(), 12);
  assert.match(await page.locator("tr:target").innerText(), /Setting b/);
  long.close();
  await page.context().close();
});

test("on a phone each value of a setting says what it is", async () => {
  const page = await open(settings, { viewport: { width: 360, height: 800 } });
  const labels = await page.locator(".settings tbody tr").first().locator("td").evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
  assert.deepEqual(labels, ['"Recommended"', '"Description"']);
  const tree = await page.locator(".settings tbody tr").first().ariaSnapshot();
  assert.match(tree, /Recommended/);
  await page.context().close();
});
