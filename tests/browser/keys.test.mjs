// Keyboard shortcuts without modifiers: their effects, and when they are ignored.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build, refuseStorage, root, searching, serveFolder, visiting } from "./support.mjs";

const address = (platform, step) => `/developers/quickstart/${platform}/${step}/`;
const step = address("ios", "create-connection");
const visit = visiting(async () => serveFolder(await build(root), { policy: searching }));

async function open(path = step, prepare = () => {}) {
  const page = await visit.browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  await prepare(page);
  await page.goto(visit.server.url + path);
  return page;
}

const path = (page) => new URL(page.url()).pathname;
const help = (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });
const pressAndWait = (page, key, path) => Promise.all([page.waitForURL(`**${path}`), page.keyboard.press(key)]);

/** Presses keys that must do nothing. */
async function staysWith(page, ...keys) {
  const before = page.url();
  for (const key of keys) await page.keyboard.press(key);
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 50))));
  assert.equal(page.url(), before);
  assert.equal(await page.locator("dialog[open]").count(), 0);
}

test("the arrows turn the page, and change sides where one reads from right to left", async () => {
  const page = await open();
  await pressAndWait(page, "ArrowRight", address("ios", "verify-connection"));
  await pressAndWait(page, "ArrowLeft", step);
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await pressAndWait(page, "ArrowRight", address("ios", "create-output"));
  await page.close();
});

test("a number leads to the platform at that place, to the section in view", async () => {
  const page = await open(`${step}#42-connection-modes`);
  await page.waitForFunction(() => scrollY > 0);
  const web = await page.locator(".platforms a").first().getAttribute("href");
  await pressAndWait(page, "1", `${web}#*`);
  assert.match(new URL(page.url()).hash, /connection-modes/);
  await staysWith(page, "1", "9");
  await page.close();
});

test("t turns the colours, the slash opens the search, the question mark the list of keys", async () => {
  const page = await open();
  await page.keyboard.press("t");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  await page.keyboard.press("/");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
  // The browser returns the focus a moment after the dialog closes.
  await page.waitForFunction(() => document.activeElement === document.body);
  await page.keyboard.press("?");
  await help(page).waitFor();
  assert.match(await help(page).innerText(), /Previous and next step/);
  // An open dialog receives the keys itself.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("t");
  assert.equal(path(page), step);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  await page.keyboard.press("Escape");
  await help(page).waitFor({ state: "hidden" });
  await page.close();
});

test("who types, holds a modifier, or scrolls a table sideways is left alone", async () => {
  const page = await open();
  await staysWith(page, "Control+1", "Alt+2", "Meta+1");
  await page.evaluate(() => {
    const article = document.querySelector("article");
    for (const name of ["input", "textarea", "select"]) article.prepend(document.createElement(name));
    article.prepend(Object.assign(document.createElement("div"), { contentEditable: "true", id: "writing" }));
  });
  for (const field of ["input", "textarea", "select", "#writing"]) {
    await page.locator(`article ${field}`).first().focus();
    await staysWith(page, "ArrowRight", "1", "t", "?", "/");
  }
  const box = page.locator(".table").first();
  await box.evaluate((box) => (box.firstElementChild.style.minWidth = "200rem"));
  await box.focus();
  await staysWith(page, "ArrowRight", "ArrowLeft");
  await page.close();
});

test("keys are switched off by keyboard alone, for all pages, and on again", async () => {
  const page = await open();
  await page.keyboard.press("?");
  const toggle = help(page).getByRole("checkbox", { name: "Enable keyboard shortcuts" });
  await toggle.focus();
  await page.keyboard.press("Space");
  await help(page).getByRole("button", { name: "Close" }).press("Enter");
  for (const where of [step, "/"]) {
    await page.goto(visit.server.url + where);
    await staysWith(page, "ArrowRight", "1", "t", "?", "/");
  }
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "auto");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
  await page.goto(visit.server.url + step);
  await page.getByRole("button", { name: "Keyboard shortcuts" }).press("Enter");
  await toggle.press("Space");
  await page.keyboard.press("Escape");
  await pressAndWait(page, "ArrowRight", address("ios", "verify-connection"));
  await page.close();
});

test("where storage is refused keys work, and can be switched off for the page", async () => {
  const page = await open(step, refuseStorage);
  await page.keyboard.press("?");
  await help(page).getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await staysWith(page, "ArrowRight", "?");
  await page.reload();
  await pressAndWait(page, "ArrowRight", address("ios", "verify-connection"));
  await page.close();
});

test("the whole tutorial is read by keyboard alone, to its end and over to another platform", async () => {
  const page = await open("/");
  /** Moves to the element with this name, and opens it. */
  async function reach(name) {
    for (let tabs = 0; tabs < 40; tabs += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => document.activeElement.textContent.trim());
      if (focused.startsWith(name)) return page.keyboard.press("Enter");
    }
    assert.fail(`the keyboard doesn't reach ${name}`);
  }
  await Promise.all([page.waitForURL("**/quickstart/"), reach("Send your first event")]);
  await reach("iOS");
  await Promise.all([page.waitForURL("**/overview/"), reach("Start on iOS")]);
  const visited = [path(page)];
  while (await page.locator(".turn [rel=next]").count()) {
    await pressAndWait(page, "ArrowRight", await page.locator(".turn [rel=next]").getAttribute("href"));
    visited.push(path(page));
  }
  assert.equal(visited.length, 9);
  const [web] = await page.locator(".platforms a").evaluateAll((links) => links.map((link) => new URL(link.href).pathname));
  await pressAndWait(page, "1", web);
  assert.equal(path(page), web);
  await page.close();
});
