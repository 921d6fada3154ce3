// A reader's way through the tutorial: forward, back, and to another platform.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build, everything, kinds, root, serveFolder, visiting } from "./support.mjs";

const steps = ["overview", "create-input", "verify-input", "create-output", "create-connection", "verify-connection", "track-events", "track-users", "data-planning"];
const platforms = { web: steps, ios: steps, android: [...steps, "testing"] };
const visit = visiting(async () => serveFolder(await build(root)));

const address = (platform, step) => `/developers/quickstart/${platform}/${step}/`;

/** Follows `selector` as long as it exists, and returns the visited paths. */
async function follow(page, selector) {
  const visited = [new URL(page.url()).pathname];
  while (await page.locator(selector).count()) {
    const from = page.url();
    await page.locator(selector).click();
    await page.waitForURL((url) => url.href !== from, { waitUntil: "domcontentloaded" });
    visited.push(new URL(page.url()).pathname);
    assert.ok(visited.length <= 20, "the way never ends");
  }
  return visited;
}

for (const javaScriptEnabled of [true, false]) {
  test(`the tutorial is walked forth and back, JavaScript ${javaScriptEnabled ? "on" : "off"}`, async () => {
    const context = await visit.browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    for (const [platform, steps] of Object.entries(platforms)) {
      const way = steps.map((step) => address(platform, step));
      await page.goto(visit.server.url + way[0]);
      assert.deepEqual(await follow(page, ".turn [rel=next]"), way);
      assert.deepEqual(await follow(page, ".turn [rel=prev]"), way.toReversed());
    }
    await context.close();
  });

  test(`the switcher leads to the same step, JavaScript ${javaScriptEnabled ? "on" : "off"}`, async () => {
    const context = await visit.browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const names = { web: "Web", ios: "iOS", android: "Android" };
    for (const step of steps) {
      await page.goto(visit.server.url + address("web", step));
      for (const platform of ["ios", "android", "web"]) {
        await page.locator(".platforms").getByRole("link", { name: names[platform], exact: true }).click();
        await page.waitForURL(`**${address(platform, step)}`);
      }
    }
    await context.close();
  });
}

test("home leads to the tutorial, and the overview to every step", async () => {
  const page = await visit.browser.newPage();
  await page.goto(visit.server.url);
  await page.getByRole("link", { name: "Send your first event" }).click();
  await page.waitForURL("**/developers/quickstart/");
  const cells = await page.locator("table a").count();
  assert.equal(cells, Object.values(platforms).flat().length);
  await page.close();
});

test("a former address leads to the page, without JavaScript too", async () => {
  const other = await serveFolder(await build(everything));
  const context = await visit.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(other.url + kinds.redirect.path);
  await page.waitForURL("**/tour/ios/everything/");
  await context.close();
  other.close();
});
