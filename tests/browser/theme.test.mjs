// The color mode: stored, applied before the first paint, and the same in every tab.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build, refuseStorage, root, serveFolder, visiting } from "./support.mjs";

const step = "/developers/quickstart/ios/create-connection/";
const papers = { light: "rgb(255, 255, 255)", dark: "rgb(18, 22, 31)" };
const visit = visiting(async () => serveFolder(await build(root)));

const paper = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const button = (page) => page.getByRole("button", { name: /^Color mode/ });

test("the button leads from the device's colours to light, to dark and back, and says so", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await visit.browser.newPage({ colorScheme });
    await page.goto(visit.server.url + step);
    for (const [name, expected] of [["same as device", colorScheme], ["light", "light"], ["dark", "dark"], ["same as device", colorScheme]]) {
      assert.equal(await page.getByRole("button", { name: `Color mode: ${name}`, exact: true }).count(), 1);
      assert.equal(await paper(page), papers[expected], name);
      await button(page).click();
    }
    await page.close();
  }
});

test("the choice stands before anything is painted, on every page", async () => {
  const page = await visit.browser.newPage({ colorScheme: "light" });
  await page.goto(visit.server.url + step);
  await button(page).click();
  await button(page).click();
  // The state of the page just before each frame is painted.
  await page.addInitScript(() => {
    window.papers = new Set();
    const look = () => {
      if (document.body) window.papers.add(getComputedStyle(document.documentElement).backgroundColor);
      requestAnimationFrame(look);
    };
    look();
  });
  for (const path of [step, "/", "/about/", "/nowhere/"]) {
    await page.goto(visit.server.url + path);
    await page.waitForFunction(() => window.papers.size > 0);
    assert.deepEqual(await page.evaluate(() => [...window.papers]), [papers.dark], path);
  }
  await page.close();
});

test("other tabs follow", async () => {
  const context = await visit.browser.newContext({ colorScheme: "light" });
  const [one, other] = [await context.newPage(), await context.newPage()];
  await one.goto(visit.server.url + step);
  await other.goto(visit.server.url + "/");
  await button(one).click();
  await button(one).click();
  await other.waitForFunction((dark) => getComputedStyle(document.documentElement).backgroundColor === dark, papers.dark);
  await context.close();
});

test("where storage is refused the button works, and where it holds junk nothing breaks", async () => {
  const context = await visit.browser.newContext({ colorScheme: "light" });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(visit.server.url + step);
  for (const junk of ["{", "7", "null", '"purple"', '{"theme":"dark"}']) {
    await page.evaluate((junk) => localStorage.setItem("stepkin.theme", junk), junk);
    await page.reload();
    assert.equal(await paper(page), papers.light, junk);
  }
  await refuseStorage(page);
  await page.reload();
  await button(page).click();
  await button(page).click();
  assert.equal(await paper(page), papers.dark);
  assert.deepEqual(errors, []);
  await context.close();
});

test("on paper colours are light, and without scripts there is no button", async () => {
  const page = await visit.browser.newPage({ colorScheme: "light" });
  await page.goto(visit.server.url + step);
  await button(page).click();
  await button(page).click();
  await page.emulateMedia({ media: "print" });
  assert.equal(await paper(page), papers.light);
  await page.close();
  const plain = await visit.browser.newPage({ javaScriptEnabled: false });
  await plain.goto(visit.server.url + step);
  assert.equal(await plain.locator(".theme").isVisible(), false);
  await plain.close();
});

test("where the reader's system has the colours, lines say what backgrounds did", async () => {
  const page = await visit.browser.newPage();
  const width = (selector, side) => page.locator(selector).first().evaluate((it, side) => parseFloat(getComputedStyle(it)[`border${side}Width`]), side);
  const lines = async () => [await width(".note", "Top"), await width(".platforms [aria-current]", "Top"), await width(".rail [aria-current]", "Left")];
  await page.goto(visit.server.url + step);
  const [note, , current] = await lines();
  assert.equal(note, 0, "a note has a background otherwise");
  await page.emulateMedia({ forcedColors: "active" });
  const forced = await lines();
  assert.ok(forced[0] >= 1 && forced[1] >= 1 && forced[2] > current, `${forced}`);
  await page.close();
});
