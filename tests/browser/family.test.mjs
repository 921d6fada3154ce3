// Features of a complete family: the platform switcher, the overview, and the comparison.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build, differing, serveFolder, visiting } from "./support.mjs";

const visit = visiting(async () => serveFolder(await build(differing)));

const link = (page, name) => page.locator(".platforms a", { hasText: name });
const href = (page, name) => link(page, name).evaluate((it) => it.href.slice(location.origin.length));
const path = (page) => page.url().slice(visit.server.url.length);

async function open(address, options = {}) {
  // Smooth scrolling would only cost time in tests.
  const page = await visit.browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  await page.goto(visit.server.url + address);
  return page;
}

for (const [from, name, to] of [
  ["/tour/web/connect/", "iOS", "/tour/ios/connect/"],
  ["/tour/web/connect/#21-choose-the-output", "iOS", "/tour/ios/connect/#41-choose-the-output"],
  ["/tour/web/connect/#choose-the-output", "iOS", "/tour/ios/connect/#41-choose-the-output"],
  ["/tour/web/connect/#21-choose-the-output", "Android", "/tour/android/connect/#21-choose-the-output"],
  // The sibling lacks this section, so the nearest place is the last preceding one that it has.
  ["/tour/web/connect/#22-only-on-the-web", "iOS", "/tour/ios/connect/#41-choose-the-output"],
  ["/tour/ios/connect/#42-see-that-it-works", "Web", "/tour/web/connect/#23-see-that-it-works"],
]) {
  test(`${from} leads to ${name} at ${to}`, async () => {
    const page = await open(from);
    await link(page, name).click();
    await page.waitForURL(visit.server.url + to);
    await page.close();
  });
}

test("on a phone the switcher stays in view, and leads to the section too", async () => {
  const page = await open("/tour/web/connect/#23-see-that-it-works", { viewport: { width: 390, height: 844 }, hasTouch: true });
  const [heading, bar] = await Promise.all([page.locator(":target").boundingBox(), link(page, "iOS").boundingBox()]);
  assert.ok(bar.y >= 0 && bar.y + bar.height <= heading.y, "the switcher is above the heading, and both can be seen");
  await link(page, "iOS").tap();
  await page.waitForURL(`${visit.server.url}/tour/ios/connect/#42-see-that-it-works`);
  await page.close();
});

test("scrolling decides which section is in view, and the address doesn't", async () => {
  const page = await open("/tour/web/connect/#23-see-that-it-works");
  await page.locator("[id='21-choose-the-output']").evaluate((heading) => heading.scrollIntoView({ behavior: "instant" }));
  await link(page, "iOS").click();
  await page.waitForURL(`${visit.server.url}/tour/ios/connect/#41-choose-the-output`);
  await page.goBack();
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await link(page, "iOS").click();
  await page.waitForURL(`${visit.server.url}/tour/ios/connect/`);
  await page.close();
});

test("what the browser says of a link is where it leads, by pointer and by keyboard", async () => {
  const page = await open("/tour/web/connect/#23-see-that-it-works");
  await link(page, "iOS").hover();
  assert.equal(await href(page, "iOS"), "/tour/ios/connect/#42-see-that-it-works");
  await link(page, "Android").focus();
  assert.equal(await href(page, "Android"), "/tour/android/connect/#22-see-that-it-works");
  await page.close();
});

test("without JavaScript the switcher leads to the step", async () => {
  const page = await open("/tour/web/connect/#23-see-that-it-works", { javaScriptEnabled: false });
  await link(page, "iOS").click();
  await page.waitForURL(`${visit.server.url}/tour/ios/connect/`);
  await page.close();
});

test("a platform that lacks the step leads to where the overview says so", async () => {
  const page = await open("/tour/ios/sign/#51-sign");
  assert.match(await link(page, "Web").innerText(), /doesn't have this step/);
  await link(page, "Web").click();
  await page.waitForURL("**/tour/#platform-web-without-sign");
  const said = page.locator(":target");
  assert.match(await said.innerText(), /^Sign the app\s+only on iOS$/);
  assert.equal(await page.locator(".course:visible").getAttribute("data-platform"), "web");
  await page.close();
});

/** The platforms whose steps an overview shows, and the one that is marked in the choice. */
const shown = (page) => page.locator(".course:visible").evaluateAll((found) => found.map((it) => it.dataset.platform));
const marked = (page) => page.locator(".seg [aria-current]").evaluateAll((found) => found.map((it) => it.dataset.platform));

test("an overview shows the steps of the platform read last, and home does where there is one tutorial", async () => {
  const page = await open("/tour/");
  assert.deepEqual(await shown(page), ["web"]);
  for (const platform of ["ios", "android"]) {
    await page.goto(`${visit.server.url}/tour/${platform}/install/`);
    for (const home of ["/", "/tour/"]) {
      await page.goto(visit.server.url + home);
      assert.equal(path(page), home);
      assert.deepEqual([await shown(page), await marked(page)], [[platform], [platform]]);
    }
  }
  // The choice is remembered, as on a step.
  await page.locator(".seg").getByRole("link", { name: "iOS" }).click();
  assert.deepEqual([await shown(page), await marked(page)], [["ios"], ["ios"]]);
  await page.goto(`${visit.server.url}/tour/`);
  assert.deepEqual(await shown(page), ["ios"]);
  // The URL takes precedence over stored data.
  await page.goto(`${visit.server.url}/tour/#platform-android`);
  assert.deepEqual(await shown(page), ["android"]);
  // The URL takes precedence over stored data.
  await page.goto(`${visit.server.url}/tour/web/connect/`);
  assert.equal(await page.locator(".platforms [aria-current]").innerText(), "Web");
  await page.close();
});

test("a platform of another family doesn't make this one forget", async () => {
  const page = await open("/tour/web/install/");
  await page.evaluate(() => localStorage.setItem("stepkin.platforms", '["python","ios"]'));
  await page.goto(`${visit.server.url}/tour/`);
  assert.deepEqual(await shown(page), ["ios"]);
  await page.close();
});

test("without JavaScript the address chooses the platform, and every step is a link", async () => {
  const page = await open("/tour/", { javaScriptEnabled: false });
  assert.deepEqual(await shown(page), ["web"]);
  await page.locator(".seg").getByRole("link", { name: "iOS" }).click();
  assert.deepEqual(await shown(page), ["ios"]);
  await page.goto(`${visit.server.url}/tour/#platform-web-without-sign`);
  assert.deepEqual(await shown(page), ["web"]);
  const items = page.locator(".course[data-platform=web] .path ol > li");
  assert.equal(await items.count(), await items.locator("a[href]").count());
  await page.close();
});

for (const [what, breakStorage] of [
  ["is refused", () => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("refused", "SecurityError"); } })],
  ["holds something else", () => localStorage.setItem("stepkin.platforms", "{ nonsense")],
]) {
  test(`where storage ${what}, nothing breaks`, async () => {
    const page = await visit.browser.newPage({ reducedMotion: "reduce" });
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.addInitScript(breakStorage);
    await page.goto(`${visit.server.url}/tour/web/connect/#23-see-that-it-works`);
    await link(page, "iOS").hover();
    assert.equal(await href(page, "iOS"), "/tour/ios/connect/#42-see-that-it-works");
    await page.goto(`${visit.server.url}/tour/`);
    assert.deepEqual(await shown(page), ["web"]);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

const rows = (page) => page.locator("[data-row]:visible").evaluateAll((rows) => rows.map((row) => row.id));
const settings = ["connect-batch", "connect-level", "connect-send-it", "connect-haptics"];

test("platforms stand side by side, and say where they differ", async () => {
  const page = await open("/tour/");
  await page.getByRole("link", { name: "side by side" }).click();
  await page.waitForURL("**/tour/compare/");
  for (const name of ["Web", "iOS"]) await page.getByRole("checkbox", { name, exact: true }).uncheck();
  const label = (id) => page.locator(`#${id} th`).innerText();
  assert.match(await label("connect-batch"), /differs/);
  assert.match(await label("connect-level"), /described differently/);
  assert.equal(await label("connect-send-it"), "Send it");
  assert.match(await label("connect-haptics"), /only on Android/);
  assert.match(await page.locator("#connect-batch [data-platform=ios]").textContent(), /Off\s*differs/);
  assert.doesNotMatch(await page.locator("#connect-batch [data-platform=web]").textContent(), /differs/);
  await page.close();
});

test("a cell leads to its setting, and a row has an address of its own", async () => {
  const page = await open("/tour/compare/#connect-batch");
  assert.equal(await page.locator("tbody:target th a").innerText(), "batch");
  await page.locator("#connect-batch [data-platform=ios] a").last().click();
  await page.waitForURL("**/tour/ios/connect/#setting-batch");
  await page.close();
});

test("a cell shows one sign for what is the same", async () => {
  const page = await open("/tour/compare/");
  await page.evaluate(() => document.querySelectorAll("details").forEach((it) => (it.open = true)));
  const signs = await page.locator("[data-row] td").evaluateAll((cells) => {
    const isSign = (it) => getComputedStyle(it, "::before").content.startsWith('"="');
    return cells.map((cell) => [cell, ...cell.querySelectorAll("*")].filter(isSign).length);
  });
  assert.ok(signs.includes(1));
  assert.deepEqual(signs.filter((count) => count > 1), []);
  await page.close();
});

test("rows are filtered by text and by what differs", async () => {
  const page = await open("/tour/compare/");
  assert.equal(await page.getByRole("checkbox", { name: "Android" }).isChecked(), false);
  await page.getByRole("checkbox", { name: "Android" }).check();
  const [all, steps] = [await page.locator("[data-row]").count(), await page.locator(".compared").count()];
  assert.equal(await page.locator("output").innerText(), `${all + steps} rows`);
  await page.getByLabel("Only differences").check();
  assert.deepEqual(await rows(page), ["connect-batch", "connect-level", "connect-haptics", "connect-section-only-on-the-web"]);
  // A step that a platform lacks is the largest difference: it is counted, and stays.
  assert.equal(await page.locator("output").innerText(), `5 of ${all + steps} rows`);
  assert.equal(await page.getByRole("heading", { name: "Sign the app" }).isVisible(), true);
  assert.equal(await page.getByRole("heading", { name: "Install" }).isVisible(), false);
  await page.getByLabel("Find").fill("HAPTICS");
  assert.deepEqual(await rows(page), ["connect-haptics"]);
  await page.getByLabel("Only differences").uncheck();
  await page.getByLabel("Find").fill("sign");
  // Headings are in a collapsed box, but matches are shown.
  assert.deepEqual(await rows(page), ["sign-section-sign"]);
  await page.getByLabel("Find").fill("nothing like it");
  assert.deepEqual(await rows(page), []);
  assert.deepEqual(await page.locator(".compared:visible").count(), 0);
  // A link to a row shows it, whatever is filtered.
  await page.evaluate(() => (location.hash = "connect-send-it"));
  await page.locator("#connect-send-it").waitFor();
  assert.deepEqual((await rows(page)).slice(0, 4), settings);
  await page.close();
});

test("without JavaScript all rows are there, and no filter", async () => {
  const page = await open("/tour/compare/", { javaScriptEnabled: false });
  assert.equal(await page.locator(".filter").isVisible(), false);
  assert.deepEqual((await rows(page)).slice(0, 4), settings);
  await page.locator("#connect-level summary").click();
  assert.match(await page.locator("#connect-level dl").innerText(), /Web, Android\s+How much is told\.\s+iOS\s+How much is said\./);
  await page.close();
});

test("on a phone two platforms stand side by side, and their names stay in view", async () => {
  const page = await open("/tour/compare/", { viewport: { width: 320, height: 700 } });
  const box = page.locator(".side:visible").first();
  assert.equal(await box.evaluate((it) => it.scrollWidth - it.clientWidth), 0);
  assert.deepEqual((await box.locator("thead th:visible").allInnerTexts()).slice(1), ["Web", "iOS"]);
  await page.locator("#connect-haptics, #connect-level").first().evaluate((row) => row.scrollIntoView());
  const head = await box.locator("thead th").first().boundingBox();
  assert.ok(head.y >= 0 && head.y < 700, `${head.y}`);
  await page.close();
});
