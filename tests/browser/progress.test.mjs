// Readers' progress: stored across pages and platforms, exported to a file, and never in the way.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { build, differing, folder, launchWith, refuseStorage, root, searching, serveFolder, typefaces, visiting } from "./support.mjs";

const address = (platform, step) => `/developers/quickstart/${platform}/${step}/`;
const step = address("ios", "create-connection");
const visit = visiting(async () => serveFolder(await build(root)));

/** A page in a new browser without stored data. */
async function open(path = step, prepare = () => {}, options = {}, browser = visit.browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  await prepare(page);
  await page.goto(visit.server.url + path);
  return page;
}

async function close(page) {
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

const tick = (page, name) => page.getByRole("checkbox", { name });
const ticked = (page) => page.locator(".tick:checked").evaluateAll((boxes) => boxes.map((box) => box.ariaLabel));
const finished = (page) => page.getByRole("checkbox", { name: "Mark this step as done" });
const doneSteps = (page) => page.locator(".rail [data-done] a").evaluateAll((links) => links.map((link) => link.pathname.split("/").at(-2)));

test("instructions and settings are ticked, counted, and still ticked after a reload", async () => {
  const page = await open();
  await tick(page, /^Done: In the Ferry dashboard/).check();
  await tick(page, "Done: Send as Batch").check();
  assert.match(await page.locator(".finish").innerText(), /2 of 14 ticked/);
  await page.reload();
  assert.deepEqual((await ticked(page)).map((name) => name.slice(0, 18)), ["Done: In the Ferry", "Done: Send as Batc"]);
  await tick(page, "Done: Send as Batch").uncheck();
  await page.reload();
  assert.equal((await ticked(page)).length, 1);
  await close(page);
});

test("they go along to the sibling, and are not those of another step", async () => {
  const page = await open();
  await tick(page, /^Done: In the Ferry dashboard/).check();
  await tick(page, "Done: Send as Batch").check();
  await page.locator(".platforms").getByRole("link", { name: "Web" }).click();
  await page.waitForURL("**/web/**");
  assert.equal((await ticked(page)).length, 2);
  assert.ok((await ticked(page)).includes("Done: Send as Batch"));
  await page.goto(visit.server.url + address("ios", "create-input"));
  assert.deepEqual(await ticked(page), []);
  await close(page);
});

test("sections that a platform words in another way carry their ticks to their counterparts", async () => {
  const family = await serveFolder(await build(differing));
  const page = await open("/", (page) => page.goto(family.url));
  await page.goto(family.url + "/tour/ios/connect/");
  await tick(page, "Done: Look again.").check();
  await page.goto(family.url + "/tour/web/connect/");
  assert.deepEqual(await ticked(page), ["Done: Look again."]);
  // Data that only the web page has doesn't apply to others.
  await tick(page, "Done: Close it.").check();
  await page.goto(family.url + "/tour/ios/connect/");
  assert.deepEqual(await ticked(page), ["Done: Look again."]);
  family.close();
  await close(page);
});

test("a step is done when its last box is ticked, and the lists say so in words", async () => {
  const page = await open();
  assert.equal(await finished(page).isChecked(), false);
  for (const box of await page.locator(".tick").all()) await box.check();
  assert.equal(await finished(page).isChecked(), true);
  assert.deepEqual(await doneSteps(page), ["create-connection"]);
  assert.match(await page.locator(".rail [data-done]").textContent(), /\(done\)/);
  assert.match(await page.locator(".rail p.where").innerText(), /^5 of 9, about \d+ minutes left$/);
  assert.equal(await page.locator(".rail .counted").innerText(), "1 of 9 steps done");
  assert.equal(await page.locator(".rail progress").evaluate((it) => it.value), 1);
  await tick(page, "Done: Send as Batch").uncheck();
  assert.equal(await finished(page).isChecked(), false);
  assert.deepEqual(await doneSteps(page), []);
  await finished(page).check();
  await page.goto(visit.server.url + "/developers/quickstart/");
  assert.match(await page.locator(".course:visible [data-done] a").textContent(), /Create a connection.*\(done\)/);
  await close(page);
});

test("overview and home say where to go on: with what was read last, or with what follows when that is done", async () => {
  const page = await open("/");
  const next = () => page.getByRole("link", { name: /^Continue with .* connection$/ });
  assert.equal(await next().count(), 0);
  await page.goto(visit.server.url + step);
  for (const path of ["/", "/developers/quickstart/"]) {
    await page.goto(visit.server.url + path);
    assert.equal(await next().getAttribute("href"), step);
  }
  await page.goto(visit.server.url + step);
  await finished(page).check();
  assert.match(await page.locator(".rail [data-next]").textContent(), /continue here/);
  await page.goto(visit.server.url + "/");
  assert.equal(await next().getAttribute("href"), address("ios", "verify-connection"));
  await next().click();
  await page.waitForURL("**/verify-connection/");
  await close(page);
});

test("of many steps a page lists those around its own, and counts all of them", async () => {
  const from = await folder();
  for (const platform of ["ios", "web"]) {
    await mkdir(join(from, "content/tour", platform), { recursive: true });
    for (let step = 1; step <= 120; step += 1) {
      if (platform === "ios" && step === 119) continue;
      const text = `---\ntitle: Task ${step}\norder: ${step}\nduration: 2\n---\n\n1. Do it.\n`;
      await writeFile(join(from, "content/tour", platform, `s${step}.md`), text);
    }
  }
  const tour = await serveFolder(await build(from), { policy: searching });
  const page = await open("/", (page) => page.goto(tour.url));
  const where = () => page.locator(".rail p.where").innerText();
  const listed = () => page.locator(".rail li a").allTextContents();
  await page.goto(`${tour.url}/tour/ios/s1/`);
  assert.equal(await where(), "1 of 119, about 238 minutes left");
  assert.equal((await listed()).length, 40);
  await finished(page).check();
  await page.waitForFunction(() => document.querySelector(".rail .counted").textContent.startsWith("1 of 119"));
  assert.equal(await where(), "1 of 119, about 236 minutes left");
  await page.goto(`${tour.url}/tour/ios/s120/`);
  assert.equal((await listed()).at(-1).trim(), "Task 120");
  await finished(page).check();
  await page.waitForFunction(() => document.querySelectorAll(".end [data-open] li").length > 0);
  assert.equal(await where(), "119 of 119");
  assert.equal(await page.locator(".rail .counted").innerText(), "2 of 119 steps done");
  const left = await page.locator(".end [data-open] a").evaluateAll((links) => links.map((link) => [link.textContent, link.pathname]));
  assert.deepEqual([left.length, left[0]], [117, ["Task 2", "/tour/ios/s2/"]]);
  await page.goto(tour.url);
  assert.match(await page.locator(".course:visible .where").innerText(), /2 of 119 steps done/);
  // Without scripts, all steps are one link away.
  await page.goto(`${tour.url}/tour/web/s60/`);
  const all = page.locator(".rail").getByRole("link", { name: "All steps" });
  assert.deepEqual(await all.evaluateAll((links) => links.map((link) => link.pathname)), ["/tour/", "/tour/"]);
  tour.close();
  await close(page);
});

test("a file takes it to another browser, and clearing forgets it", async () => {
  const page = await open();
  await tick(page, "Done: Send as Batch").check();
  await page.getByRole("button", { name: "Your progress" }).click();
  const dialog = page.getByRole("dialog", { name: "Your progress" });
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Save as file" }).click()]);
  assert.equal(download.suggestedFilename(), "progress.json");
  const file = await download.path();
  assert.deepEqual(JSON.parse(await readFile(file)).quickstart.steps["create-connection"].items, ["setting-send-as-batch"]);

  page.once("dialog", (question) => question.dismiss());
  await dialog.getByRole("button", { name: "Clear all" }).click();
  assert.deepEqual(await ticked(page), ["Done: Send as Batch"]);
  page.once("dialog", (question) => question.accept());
  await dialog.getByRole("button", { name: "Clear all" }).click();
  assert.equal(await dialog.getByRole("status").innerText(), "Cleared");
  assert.deepEqual(await ticked(page), []);
  await page.reload();
  assert.deepEqual(await ticked(page), []);

  const other = await open();
  await other.getByRole("button", { name: "Your progress" }).click();
  await other.getByRole("dialog", { name: "Your progress" }).waitFor();
  await other.locator("#stepkin-progress [type=file]").setInputFiles(file);
  await other.getByRole("status").filter({ hasText: "Loaded" }).waitFor();
  assert.deepEqual(await ticked(other), ["Done: Send as Batch"]);
  const junk = { name: "x.json", mimeType: "application/json", buffer: Buffer.from("[1, {") };
  await other.locator("#stepkin-progress [type=file]").setInputFiles(junk);
  await other.getByRole("status").filter({ hasText: "contains no progress" }).waitFor();
  assert.deepEqual(await ticked(other), ["Done: Send as Batch"]);
  await close(page);
  await close(other);
});

test("other tabs follow", async () => {
  const page = await open();
  const other = await page.context().newPage();
  await other.goto(visit.server.url + address("web", "create-connection"));
  await tick(page, "Done: Send as Batch").check();
  await other.locator(".tick:checked").waitFor();
  await other.getByRole("button", { name: "Your progress" }).click();
  other.once("dialog", (question) => question.accept());
  await other.getByRole("button", { name: "Clear all" }).click();
  await page.locator(".tick:checked").waitFor({ state: "detached" });
  await close(page);
});

test("where storage is refused, full, or holds junk, pages work and boxes can be ticked", async () => {
  const full = (page) => page.addInitScript(() => {
    Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  });
  for (const prepare of [refuseStorage, full]) {
    const page = await open(step, prepare);
    await tick(page, "Done: Send as Batch").check();
    assert.equal((await ticked(page)).length, 1);
    await page.getByRole("button", { name: "Your progress" }).click();
    page.once("dialog", (question) => question.accept());
    await page.getByRole("button", { name: "Clear all" }).click();
    assert.deepEqual(await ticked(page), []);
    await close(page);
  }
  const quickstart = (told) => JSON.stringify({ quickstart: told });
  for (const junk of [
    "{", "7", "[]", '"x"', "null", quickstart(1), quickstart({ steps: 3, next: 4 }), quickstart({ steps: { "create-connection": null } }),
    quickstart({ steps: { "create-connection": { items: [{}, 1], done: "no" } }, next: { url: "javascript:alert(1)", title: "x" } }),
    quickstart({ next: { url: "//e.org/", title: "x" } }),
  ]) {
    const page = await open("/", (page) => page.addInitScript((junk) => localStorage.getItem("stepkin.progress") ?? localStorage.setItem("stepkin.progress", junk), junk));
    assert.equal(await page.locator("a[data-resume=quickstart]:visible").count(), 0, junk);
    await page.goto(visit.server.url + step);
    assert.deepEqual(await ticked(page), [], junk);
    await tick(page, "Done: Send as Batch").check();
    await page.reload();
    assert.equal((await ticked(page)).length, 1, junk);
    await close(page);
  }
});

/** Requirements for every typeface, because a reader's own may be wider and higher than those of this machine. */
async function nothingMoves(browser, width) {
  const page = await open(step, () => {}, { viewport: { width, height: 900 } }, browser);
  for (const box of await page.locator(".tick").all()) await box.check();
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shift += entry.value))).observe({ type: "layout-shift", buffered: true });
  });
  for (const path of [step, address("web", "create-connection"), "/developers/quickstart/", "/"]) {
    await page.goto(visit.server.url + path);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 50))));
    assert.equal(await page.evaluate(() => window.shift), 0, `${path} at ${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `${path} at ${width}`);
  }
  await page.goto(visit.server.url + step);
  const height = () => page.evaluate(() => document.querySelector("article").offsetHeight);
  const before = await height();
  await page.locator(".tick").first().uncheck();
  // An image that becomes visible in the meantime may differ in height by a fraction of a pixel.
  const after = await height();
  assert.ok(Math.abs(after - before) <= 1, `${before} to ${after} at ${width}`);
  await close(page);
}

for (const typeface of await typefaces()) {
  test(`nothing moves when what was kept is shown, or when something is ticked: ${typeface}`, async () => {
    const browser = await launchWith(typeface);
    try {
      for (const width of [1280, 360]) await nothingMoves(browser, width);
    } finally {
      await browser.close();
    }
  });
}

test("where to go on has its room before it is known, and shows as much of a long title as fits", async () => {
  const page = await open(step, () => {}, { viewport: { width: 320, height: 900 } });
  await tick(page, /^Done: In the Ferry dashboard/).check();
  for (const [path, title] of [["/developers/quickstart/", "Short"], ["/developers/quickstart/", "A title that is long ".repeat(9)]]) {
    await page.goto(visit.server.url + path);
    const { before, after, sideways } = await page.evaluate((title) => {
      const place = document.querySelector(".about p:has(.button)");
      const bottom = () => place.getBoundingClientRect().bottom;
      const before = bottom();
      place.querySelector("a").textContent = title;
      const { scrollWidth, clientWidth } = document.documentElement;
      return { before, after: bottom(), sideways: scrollWidth - clientWidth };
    }, title);
    assert.equal(after, before);
    assert.equal(sideways, 0);
  }
  await close(page);
});

test("boxes are ticked by keyboard, and without scripts there are none", async () => {
  const page = await open();
  await page.locator(".tick").first().focus();
  await page.keyboard.press("Space");
  assert.equal((await ticked(page)).length, 1);
  await close(page);
  const plain = await open(step, () => {}, { javaScriptEnabled: false });
  assert.equal(await plain.locator(".tick").count(), 0);
  assert.equal(await plain.locator(".finish").isVisible(), false);
  assert.match(await plain.locator(".rail p.where").innerText(), /about \d+ minutes left/);
  await plain.context().close();
});
