// Long tutorials on many platforms, and how readers use their pages.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { build, folder, root, searching, serveFolder, visiting } from "./support.mjs";

const platforms = ["web", "ios", "android", "flutter", "unity", "roku"];
const steps = 40;
/** Roku lacks every fifth step. */
const has = (platform, step) => platform !== "roku" || step % 5 !== 0;

/** Six platforms with forty steps: one with a long table, and one with an instruction that contains a table. */
async function long() {
  const site = await folder();
  const pages = { "stepkin.toml": 'title = "Ferry"\n', "content/index.md": "---\ntitle: Ferry\n---\nText.\n" };
  for (const platform of platforms) {
    for (let step = 1; step <= steps; step++) {
      const value = platform === "ios" ? "Enabled" : "Check";
      const setting = (name) => `| Send ${name} | ${value} | Says so. |\n`;
      const rows = Array.from({ length: 60 }, (_, row) => `| Key ${row} | Value ${row} | What key ${row} is for. |\n`).join("");
      const text = {
        2: `1. Open the page.\n\n2. Make sure of these:\n\n   | Connection Setting | Value | Description |\n   | - | - | - |\n${["events", "views", "users"].map((name) => `   ${setting(name)}`).join("")}\n3. Save it.\n`,
        3: `| Setting | Value | Description |\n| - | - | - |\n${rows}`,
      }[step];
      const page = `---\ntitle: "Step ${step}. Do part ${step}"\norder: ${step}\nduration: 10\n---\n\nWhat part ${step} is about.\n\n## ${step}.1 Begin\n\n${text ?? "1. First.\n2. Second.\n\n## Later\n\nText.\n"}`;
      if (has(platform, step)) pages[`content/tour/${platform}/part-${step}.md`] = page;
    }
  }
  for (const platform of ["web", "ios"]) {
    pages[`content/walk/${platform}/only.md`] = "---\ntitle: Only\norder: 1\n---\n\nText.\n";
  }
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(dirname(join(site, path)), { recursive: true });
    await writeFile(join(site, path), text);
  }
  return site;
}

const visit = visiting(async () => serveFolder(await build(await long())));

async function open(path, { width = 1280, height = 900, ...options } = {}, server = visit.server) {
  const context = await visit.browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

const close = (page) => page.context().close();
const box = (page, selector) => page.locator(selector).first().boundingBox();
const visible = (page, selector) => page.locator(`${selector}:visible`).count();

test("the step that is shown is in view in a long list", async () => {
  const page = await open("/tour/web/part-35/");
  const [rail, here] = [await box(page, ".rail"), await box(page, ".rail [aria-current]")];
  assert.ok(here.y >= rail.y && here.y + here.height <= rail.y + rail.height, JSON.stringify({ rail, here }));
  await close(page);
});

test("six platforms are a menu that leads to the same step, by mouse, by key and without scripts", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await open("/tour/web/part-4/", { javaScriptEnabled });
    assert.equal(await visible(page, ".platforms a"), 0);
    await page.locator(".platforms summary").click();
    assert.equal(await visible(page, ".platforms a"), 6);
    await page.locator(".platforms").getByRole("link", { name: "Unity" }).click();
    await page.waitForURL("**/tour/unity/part-4/");
    await close(page);
  }
  const page = await open("/tour/web/part-4/");
  await page.locator(".platforms summary").click();
  await page.keyboard.press("Escape");
  assert.equal(await visible(page, ".platforms a"), 0);
  await page.keyboard.press("2");
  await page.waitForURL((url) => url.pathname !== "/tour/web/part-4/");
  await close(page);
});

test("each of six platforms has its own mark, and all that acts has one colour", async () => {
  const page = await open("/tour/");
  const colours = await page.locator(".seg .dot").evaluateAll((items) => items.map((item) => getComputedStyle(item, "::before").backgroundColor));
  assert.equal(new Set(colours).size, 6, colours.join());
  await close(page);
});

test("an overview lists a platform's steps soon, and at their end what it lacks", async () => {
  for (const [width, most] of [[1280, 600], [360, 1200]]) {
    const page = await open("/tour/#platform-roku", { width, height: 780 });
    assert.equal(await page.getByText(/lacks \d+ of/).count(), 0);
    assert.ok((await box(page, ".course:not([hidden]) .path")).y < most);
    assert.equal(await visible(page, ".path ol > li"), 32);
    assert.equal(await visible(page, ".away li"), 8);
    assert.match(await page.locator("#platform-roku-without-part-5").innerText(), /^Do part 5\s+only on Web, iOS/);
    await close(page);
  }
});

test("of many platforms two are compared, and a step is gone to", async () => {
  const page = await open("/tour/compare/");
  const heads = () => page.locator("#part-2 .side thead th:visible").first().locator("xpath=..").locator("th:visible").allInnerTexts();
  const tally = (name) => page.locator(`[data-tally=${name}] b`).innerText();
  assert.deepEqual([await tally("steps"), await tally("differing")], ["40", "3"]);
  assert.deepEqual(await heads(), ["Connection Setting", "Web", "iOS"]);
  await page.getByLabel("Only differences").check();
  assert.deepEqual(await page.locator(".compared:visible").evaluateAll((found) => found.map(({ id }) => id)), ["part-2"]);
  for (const name of ["iOS"]) await page.getByRole("checkbox", { name, exact: true }).uncheck();
  await page.getByRole("checkbox", { name: "Roku" }).check();
  assert.equal(await tally("lacking"), "8");
  // An item that one of two platforms lacks is a difference, here the step.
  assert.equal(await page.locator(".compared:visible").count(), 8);
  await page.getByLabel("Go to a step").selectOption("part-5");
  assert.ok((await box(page, "#part-5 h2")).y < 300);
  await close(page);
});

test("what differs in the same way in several settings is said once", async () => {
  const page = await open("/tour/compare/");
  assert.equal(await page.locator("#part-2 .cause").innerText(), "Enabled on iOS; Check on Web, Android, Flutter, Unity, Roku, in 3 settings.");
  await close(page);
});

test("an instruction that holds a table is ticked at any width, and so is each of its settings", async () => {
  for (const width of [1280, 360]) {
    const page = await open("/tour/web/part-2/", { width, height: 780, hasTouch: width < 700 });
    const names = await page.locator(".tick").evaluateAll((ticks) => ticks.map((tick) => tick.ariaLabel));
    assert.deepEqual(names, ["Done: Open the page.", "Done: Make sure of these:", "Done: Send events", "Done: Send views", "Done: Send users", "Done: Save it."]);
    assert.equal(await page.locator("thead .tick").count(), 0);
    for (const tick of await page.locator(".tick").all()) await (width < 700 ? tick.tap() : tick.click());
    assert.equal(await page.getByRole("checkbox", { name: "Mark this step as done" }).isChecked(), true);
    await close(page);
  }
});

test("the head of a long table and its filter stay in view", async () => {
  const page = await open("/tour/web/part-3/");
  await page.locator("#setting-key-40").evaluate((row) => row.scrollIntoView({ block: "center" }));
  const [top, find, head] = [await box(page, ".top"), await box(page, ".find"), await box(page, ".settings thead th")];
  assert.ok(find.y >= top.y + top.height - 1, JSON.stringify({ top, find }));
  assert.ok(head.y >= find.y + find.height - 1 && head.y < 200, JSON.stringify({ find, head }));
  await close(page);
});

test("on a phone the first instruction is on the first screen, and one bar opens steps or contents", async () => {
  const page = await open("/tour/web/part-6/", { width: 360, height: 780, hasTouch: true });
  const first = await box(page, ".prose > ol > li");
  assert.ok(first.y + first.height < 780, `${first.y}`);
  assert.match(await page.locator(".rail summary").innerText(), /^6 of 40/);
  await page.locator(".rail summary").tap();
  assert.equal(await visible(page, ".rail li a"), steps);
  await page.locator(".toc summary").tap();
  assert.deepEqual([await visible(page, ".rail li a"), await visible(page, ".toc a")], [0, 2]);
  await page.locator(".toc a").last().tap();
  assert.equal(await visible(page, ".toc a"), 0);
  assert.equal(new URL(page.url()).hash, "#later");
  await page.locator(".rail summary").tap();
  await page.keyboard.press("Escape");
  assert.equal(await visible(page, ".rail li a"), 0);
  await close(page);
});

test("the minutes that are left follow what is ticked", async () => {
  const page = await open("/tour/web/part-39/");
  const left = () => page.locator(".rail p.where").innerText();
  assert.equal(await left(), "39 of 40, about 20 minutes left");
  const bar = () => page.locator(".rail progress").evaluate((it) => it.value);
  await page.locator(".tick").first().check();
  assert.deepEqual([await left(), await bar()], ["39 of 40, about 15 minutes left", 0.5]);
  await page.locator(".tick").last().check();
  assert.deepEqual([await left(), await bar()], ["39 of 40, about 10 minutes left", 1]);
  assert.equal(await page.locator(".rail .counted").innerText(), "1 of 40 steps done");
  await close(page);
});

test("the last step ends with what is open and where to go on", async () => {
  const page = await open("/tour/web/part-39/");
  await page.getByRole("checkbox", { name: "Mark this step as done" }).check();
  assert.equal(await page.locator(".end").count(), 0);
  await page.goto(visit.server.url + "/tour/web/part-40/");
  const end = page.locator(".end");
  assert.equal(await end.locator("[data-open] a").count(), 39);
  const links = await end.locator(".chips a").allInnerTexts();
  assert.deepEqual(links.slice(0, 2), ["All steps", "This step on iOS"]);
  assert.equal(links.at(-1), "Walk");
  await page.evaluate(() => {
    const steps = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`part-${at + 1}`, { done: true, items: [] }]));
    localStorage.setItem("stepkin.progress", JSON.stringify({ tour: { steps } }));
  });
  await page.reload();
  assert.equal(await end.getByText("All 40 steps are done.").isVisible(), true);
  assert.equal(await end.locator("[data-open]").isVisible(), false);
  await close(page);
});

test("a list of the tutorial's steps shows their own state", async () => {
  const sample = await serveFolder(await build(root));
  const page = await open("/developers/quickstart/web/create-input/", {}, sample);
  await page.getByRole("checkbox", { name: "Mark this step as done" }).check();
  await page.goto(sample.url + "/developers/quickstart/web/overview/");
  const boxes = page.locator(".prose > ol > li > .tick");
  assert.deepEqual(await boxes.evaluateAll((all) => all.map((box) => box.checked)), [true, ...Array(7).fill(false)]);
  await boxes.nth(1).check();
  assert.match(await page.locator(".rail .counted").innerText(), /^2 of 9 steps done/);
  sample.close();
  await close(page);
});

test("a page is copied as Markdown, and opened so", async () => {
  const served = await serveFolder(visit.server.folder, { policy: searching });
  const page = await open("/tour/web/part-6/", { permissions: ["clipboard-read", "clipboard-write"] }, served);
  await page.locator("article > .menu summary").click();
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.waitForFunction(() => document.querySelector("[data-copied]"));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^# Step 6\. Do part 6\n/);
  assert.match(await page.getByRole("link", { name: "Open as Markdown" }).getAttribute("href"), /\/tour\/web\/part-6\/index\.md$/);
  served.close();
  await close(page);
});

test("the bar of a phone shows what fits as a whole", async () => {
  for (const width of [320, 360, 700]) {
    const page = await open("/tour/web/part-6/", { width, height: 780 });
    const bar = await box(page, ".rail summary");
    for (const part of await page.locator(".rail summary > span").all()) {
      const { x, y, width: wide } = await part.boundingBox();
      const isBelow = y >= bar.y + bar.height;
      assert.ok(isBelow || x + wide <= bar.x + bar.width, `${width}: ${await part.innerText()}`);
    }
    assert.equal((await box(page, ".rail summary > span")).y < bar.y + bar.height, true);
    await close(page);
  }
});

test("no page of many platforms is wider than its window", async () => {
  for (const width of [360, 820, 1280]) {
    for (const path of ["/tour/", "/tour/compare/", "/tour/web/part-3/", "/tour/web/part-40/"]) {
      const page = await open(path, { width });
      // A name that is wider than a narrow window.
      await page.locator(".chip").evaluateAll((chips) => chips.forEach((chip) => chip.append(" that has a very long name indeed")));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, path);
      await close(page);
    }
  }
});

test("columns of many platforms are wide enough to be read", async () => {
  const page = await open("/tour/compare/");
  for (const cell of await page.locator("#part-2 .side thead th:visible").all()) assert.ok((await cell.boundingBox()).width >= 120);
  await close(page);
});

test("names are read out once", async () => {
  const page = await open("/tour/web/part-2/");
  await page.getByRole("heading", { name: "2.1 Begin", exact: true }).waitFor();
  await page.getByRole("rowheader", { name: "Send events", exact: true }).waitFor();
  await page.getByRole("cell", { name: "Check Copy", exact: true }).first().waitFor();
  await close(page);
});

test("the number of a step is said once: above its heading and in its circle", async () => {
  const page = await open("/tour/web/part-6/");
  assert.equal(await page.locator("h1").innerText(), "Do part 6");
  assert.match(await page.locator("article > .eyebrow").innerText(), /^Step 6 · about 10 minutes$/);
  assert.equal(await page.locator(".rail [aria-current]").getAttribute("data-n"), "6");
  assert.equal(await page.locator(".turn [rel=next]").innerText(), "Next\nDo part 7");
  await close(page);
});

test("on a phone the list opens where the reader is", async () => {
  const page = await open("/tour/web/part-35/", { width: 360, height: 780, hasTouch: true });
  assert.match(await page.locator(".rail summary").innerText(), /^35 of 40/);
  await page.locator(".rail summary").tap();
  await page.waitForFunction(() => document.querySelector(".rail .sheet").scrollTop > 0);
  const [sheet, here] = [await box(page, ".rail .sheet"), await box(page, ".rail [aria-current]")];
  assert.ok(here.y >= sheet.y && here.y + here.height <= sheet.y + sheet.height, JSON.stringify({ sheet, here }));
  await close(page);
});

test("a step that is only read has no box to tick, and is done", async () => {
  const page = await open("/walk/web/only/");
  assert.equal(await page.locator(".finish").count(), 0);
  assert.equal(await page.locator(".rail .counted").innerText(), "1 of 1 steps done");
  await close(page);
});

/** The pages that links load in advance. */
const linked = (page) => page.locator("link[rel=prefetch]").evaluateAll((links) => links.map((link) => new URL(link.href).pathname));

/** The pages that speculation rules load in advance. */
const ruled = async (page) => {
  const rules = await page.locator("script[type=speculationrules]").allTextContents();
  return rules.flatMap((text) => JSON.parse(text).prefetch.flatMap(({ urls }) => urls));
};

/** Points at the menu of platforms, and at one of them. */
async function pointAtSibling(page) {
  await page.locator(".platforms summary").click();
  await page.locator(".platforms a[href='/tour/ios/part-2/']").hover();
}

test("speculation rules load the previous and the next page early, and a sibling when a reader points at it", async () => {
  const served = await serveFolder(visit.server.folder, { policy: searching });
  const page = await open("/tour/web/part-2/", {}, served);
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.reload();
  const [before, after, sibling] = ["/tour/web/part-1/", "/tour/web/part-3/", "/tour/ios/part-2/"];
  await page.waitForFunction(() => document.querySelectorAll("script[type=speculationrules]").length === 2);
  assert.deepEqual(await ruled(page), [before, after]);
  await pointAtSibling(page);
  assert.deepEqual(await ruled(page), [before, after, sibling]);
  const requested = () => [...new Set(served.prefetched)].sort();
  for (let waited = 0; requested().length < 3 && waited < 50; waited += 1) await page.waitForTimeout(100);
  assert.deepEqual(requested(), [sibling, before, after]);
  assert.deepEqual(await linked(page), [], "no page is loaded twice");
  assert.deepEqual(said, []);
  await close(page);
  served.close();
});

test("links load pages early if a browser doesn't support speculation rules or a policy forbids them", async () => {
  for (const supports of [true, false]) {
    const page = await open("/tour/web/part-1/");
    if (!supports) await page.addInitScript(() => { HTMLScriptElement.supports = undefined; });
    await page.goto(visit.server.url + "/tour/web/part-2/");
    await page.waitForFunction(() => document.querySelectorAll("link[rel=prefetch]").length === 2);
    await pointAtSibling(page);
    await page.waitForFunction(() => document.querySelectorAll("link[rel=prefetch]").length === 3);
    assert.deepEqual(await linked(page), ["/tour/web/part-1/", "/tour/web/part-3/", "/tour/ios/part-2/"]);
    assert.equal((await ruled(page)).length, supports ? 3 : 0);
    await close(page);
  }
});

test("nothing is loaded early if the reader saves data", async () => {
  const served = await serveFolder(visit.server.folder, { policy: searching });
  const page = await open("/tour/web/part-1/", {}, served);
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  await page.goto(served.url + "/tour/web/part-2/");
  await pointAtSibling(page);
  assert.deepEqual([await ruled(page), await linked(page)], [[], []]);
  await close(page);
  served.close();
});

test("pages move into each other, unless the reader wants less motion", async () => {
  for (const [reducedMotion, moves] of [["no-preference", true], ["reduce", false]]) {
    const page = await open("/tour/web/part-1/", { reducedMotion });
    const matches = await page.evaluate(() => {
      const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
      const holds = (rule) => [...(rule.cssRules ?? [])].some((inner) => inner instanceof CSSViewTransitionRule);
      return rules.filter(holds).map((rule) => matchMedia(rule.conditionText).matches);
    });
    assert.deepEqual(matches, [moves]);
    await page.addInitScript(() => addEventListener("pagereveal", ({ viewTransition }) => { window.moved = Boolean(viewTransition); }));
    await page.locator(".turn [rel=next]").click();
    await page.waitForFunction(() => window.moved !== undefined);
    assert.equal(await page.evaluate(() => window.moved), moves);
    await close(page);
  }
});
