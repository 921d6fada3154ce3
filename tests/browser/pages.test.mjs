// Every kind of page, at three widths, in both color schemes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { build, hold, kinds, root, searching, serveAll, serveFolder, visiting } from "./support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];
const visit = visiting(serveAll);

/** Opens a page at a width. */
async function open(kind, width, options = {}) {
  const page = await visit.browser.newPage({ viewport: { width, height: 900 }, ...options });
  await page.goto(visit.server.url(kinds[kind]));
  return page;
}

/** Records a page's console messages, failed requests, and requests to other hosts. */
function listen(page, url) {
  const heard = [];
  page.on("console", (message) => heard.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  // Requests of a page that end because another one opens are ignored.
  page.on("requestfailed", (request) => request.failure()?.errorText === "net::ERR_ABORTED" || heard.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) heard.push(`asks another host: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && response.url() !== url) heard.push(`${response.status()}: ${response.url()}`);
  });
  return heard;
}

/** Runs in the page: `shifts` contains the layout shifts during loading. */
function noteShifts() {
  window.shifts = [];
  const name = ({ node, previousRect: from, currentRect: to }) => `${node?.outerHTML?.slice(0, 80) ?? node?.textContent}: ${from.x},${from.y} to ${to.x},${to.y}`;
  new PerformanceObserver((list) => list.getEntries().forEach(({ sources }) => window.shifts.push(...sources.map(name))))
    .observe({ type: "layout-shift", buffered: true });
}

/** How far the document can be scrolled sideways, in pixels. */
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => window.axe.run({ runOnly }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

for (const [kind, place] of Object.entries(kinds)) {
  test(kind, async (t) => {
    const url = visit.server.url(place);
    const page = await visit.browser.newPage();
    await hold(page);
    const heard = listen(page, url);
    await page.addInitScript(noteShifts);
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [1280, 768, 320]) {
        await t.test(`${colorScheme}, ${width} px`, async () => {
          heard.length = 0;
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          await page.goto(url);
          const found = await page.evaluate(() => ({
            h1: document.querySelectorAll("h1").length,
            unsized: [...document.images].filter((image) => !image.hasAttribute("width") || !image.hasAttribute("height")).length,
            empty: [...document.body.querySelectorAll(":empty:not(img, source, input, progress, hr, br, [id], [aria-label], [data-said], [hidden] *, th, td)")].map((element) => element.outerHTML),
            scripts: [...document.scripts].filter(({ src, type }) => !src && type !== "application/ld+json" && type !== "speculationrules").length,
            inline: document.querySelectorAll("[style], style").length,
            shifts: window.shifts,
          }));
          assert.deepEqual(found, { h1: 1, unsized: 0, empty: [], scripts: 0, inline: 0, shifts: [] });
          assert.equal(await sideways(page), 0);
          // The response for a missing page is a 404, which Chromium reports.
          assert.deepEqual(heard.filter((message) => !(kind === "not found" && message.includes("404"))), []);
          assert.deepEqual(await violations(page), []);
        });
      }
    }
    await page.close();
  });
}

/** Serves the page at `url`: a part of it immediately, up to `?cut=`, and the rest later. */
async function serveLate(url) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, url);
    const answer = await fetch(new URL(pathname, url));
    const bytes = Buffer.from(await answer.arrayBuffer());
    const cut = Number(searchParams.get("cut"));
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") });
    if (cut > 0) response.write(bytes.subarray(0, cut));
    setTimeout(() => response.end(bytes.subarray(cut)), cut > 0 ? 120 : 0);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  server.unref();
  return `http://127.0.0.1:${server.address().port}${url.pathname}`;
}

// Tables change the most at the start of cells, and lines at the start of chips.
for (const kind of ["home", "overview", "step with settings", "comparison with gaps", "draft"]) {
  test(`wherever the network makes a page wait, nothing moves: ${kind}`, async () => {
    const url = new URL(visit.server.url(kinds[kind]));
    const late = await serveLate(url);
    const page = await visit.browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.addInitScript(noteShifts);
    // One character per byte, so that it can be cut anywhere.
    const html = Buffer.from(await (await fetch(url)).arrayBuffer()).toString("latin1");
    const starts = [...html.matchAll(/<(header|h1|td|th|a class="chip"|span|section|footer)[ >][^>]*>?/g)].map(({ 0: tag, index }) => index + tag.length);
    const apart = Math.ceil(starts.length / 20);
    for (const cut of starts.filter((_, n) => n % apart === 0)) {
      await page.goto(`${late}?cut=${cut}`);
      assert.deepEqual(await page.evaluate(() => window.shifts), [], html.slice(cut - 40, cut));
    }
    await page.close();
  });
}

test("in narrow windows the steps and the contents are closed, and a click opens them", async () => {
  const page = await open("every kind of block", 320, { javaScriptEnabled: false });
  for (const nav of [".rail", ".toc"]) {
    const link = page.locator(`${nav} li a`).first();
    assert.equal(await link.isVisible(), false);
    await page.locator(`${nav} summary`).click();
    assert.equal(await link.isVisible(), true);
  }
  await page.close();
});

test("opened, they hold to what all pages hold to", async () => {
  const page = await open("every kind of block", 320);
  await page.locator(".rail summary").click();
  await page.locator(".toc summary").click();
  assert.equal(await sideways(page), 0);
  assert.deepEqual(await violations(page), []);
  await page.close();
});

test("in wide windows both are open and can be reached by keyboard", async () => {
  const page = await open("every kind of block", 1280, { javaScriptEnabled: false });
  for (const nav of [".rail", ".toc"]) {
    const link = page.locator(`${nav} li a`).first();
    assert.equal(await link.isVisible(), true);
    assert.equal(await page.locator(`${nav} summary`).isVisible(), false);
    await link.focus();
    assert.equal(await link.evaluate((element) => element === document.activeElement), true);
  }
  await page.close();
});

test("the first key leads to a link that skips to the content", async () => {
  const page = await open("step with code", 1280);
  await page.keyboard.press("Tab");
  const skip = page.locator(":focus");
  assert.equal(await skip.innerText(), "Skip to content");
  assert.ok((await skip.boundingBox()).width > 50);
  await page.keyboard.press("Enter");
  assert.equal(new URL(page.url()).hash, "#main");
  await page.close();
});

test("a wide table scrolls in its own box, by keyboard too", async () => {
  const page = await open("every kind of block", 320);
  const box = page.locator(".table:not(.settings)");
  await box.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement.scrollLeft > 0);
  assert.equal(await box.evaluate((element) => element.getBoundingClientRect().right <= innerWidth), true);
  assert.equal(await sideways(page), 0);
  await page.close();
});

test("settings are cards in narrow windows, and need no scrolling", async () => {
  const page = await open("step with settings", 320);
  const box = page.locator(".table.settings").first();
  assert.equal(await box.evaluate((element) => element.scrollWidth - element.clientWidth), 0);
  await box.focus();
  assert.equal(await box.evaluate((element) => element === document.activeElement), true);
  await page.close();
});

test("cells are aligned as their column says", async () => {
  const page = await open("every kind of block", 1280);
  const cells = page.locator(".table:not(.settings) tbody td");
  const aligned = await cells.evaluateAll((cells) => cells.slice(0, 4).map((cell) => getComputedStyle(cell).textAlign));
  assert.deepEqual(aligned, ["left", "center", "right", "start"]);
  await page.close();
});

test("a numbered list goes on from the number it begins with", async () => {
  // The visible number is the list's own counter, which a style could reset to one.
  const page = await open("every kind of block", 1280);
  const list = page.locator(".prose > ol");
  assert.equal(await list.getAttribute("start"), "3");
  assert.equal(await list.evaluate((list) => getComputedStyle(list).counterReset), "none");
  await page.close();
});

/** The contrast of two computed colors, as defined by WCAG 2. */
function contrast(...colours) {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/\d+/g).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = colours.map(luminance).sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

test("code can be read: every colour has a contrast of 4.5 at least", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("every kind of block", 1280, { colorScheme });
    const { back, ink } = await page.locator("pre code").first().evaluate((code) => {
      code.innerHTML = [..."csrenkotfgapid"].map((name) => `<span class="${name}">${name}</span>`).join(" ");
      const colour = (element) => getComputedStyle(element).color;
      const ink = [...code.children].map((span) => [span.className, colour(span)]);
      return { back: getComputedStyle(code.parentElement).backgroundColor, ink: [["plain", colour(code)], ...ink] };
    });
    const pale = ink.filter(([, colour]) => contrast(colour, back) < 4.5);
    assert.deepEqual(pale, []);
    // Operators are intentionally similar to text. Everything else has a color.
    assert.ok(new Set(ink.map(([, colour]) => colour)).size >= 11);
    await page.close();
  }
});

test("every note has a word and a sign of its own", async () => {
  const page = await open("every kind of block", 1280);
  const notes = await page.locator(".prose > .note").evaluateAll((notes) =>
    notes.map((note) => [note.firstElementChild.innerText, getComputedStyle(note, "::before").content]));
  assert.deepEqual(notes.map(([word]) => word), ["Note", "Tip", "Important", "Warning", "Caution"]);
  assert.equal(new Set(notes.map(([, sign]) => sign)).size, 5);
  await page.close();
});

test("a draft says that it is one", async () => {
  const page = await open("draft", 1280);
  assert.equal(await page.locator("main .badge").innerText(), "Draft");
  await page.close();
});

test("a page written from right to left is a mirror image", async () => {
  for (const width of [1280, 320]) {
    const page = await open("every kind of block", width);
    const before = await page.locator(".note-label").first().boundingBox();
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    const after = await page.locator(".note-label").first().boundingBox();
    assert.equal(await sideways(page), 0);
    assert.ok(Math.abs(width - (after.x + after.width) - before.x) < 2);
    await page.close();
  }
});

test("on paper there is the article and nothing else", async () => {
  const page = await open("every kind of block", 700, { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  for (const part of [".top", ".rail", ".toc", ".turn"]) assert.equal(await page.locator(part).isVisible(), false, part);
  const ink = await page.evaluate(() => getComputedStyle(document.documentElement).color);
  assert.equal(ink, "rgb(28, 34, 48)");
  await page.close();
});

test("a printed tutorial begins each step on a new sheet, and writes external addresses out", async () => {
  const page = await open("print", 700);
  await page.emulateMedia({ media: "print" });
  const breaks = await page.locator(".print > section").evaluateAll((sections) => sections.map((section) => getComputedStyle(section).breakBefore));
  assert.ok(breaks.length >= 9);
  assert.deepEqual(new Set(breaks), new Set(["page"]));
  const written = await page.locator(".print").evaluate((print) => {
    const link = print.querySelector(".prose").appendChild(document.createElement("a"));
    link.href = "https://e.org/x";
    return getComputedStyle(link, "::after").content;
  });
  assert.match(written, /https:\/\/e\.org\/x/);
  await page.close();
});

test("a strict content security policy lets descriptions for programs be", async () => {
  const served = await serveFolder(await build(root, "--base-url", "https://docs.example.com"), { policy: searching });
  const page = await visit.browser.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(served.url + kinds["step with settings"].path);
  const described = (await page.locator("script[type='application/ld+json']").allTextContents()).map((text) => JSON.parse(text));
  assert.deepEqual(described.map((item) => item["@type"]), ["BreadcrumbList", "TechArticle"]);
  assert.deepEqual(described[0].itemListElement.map((item) => item.name).slice(0, 4), ["Stepkin", "Ferry tutorials", "Send your first event", "iOS"]);
  const shown = await page.locator(".crumbs a").allInnerTexts();
  assert.deepEqual(shown, ["Stepkin", "Ferry tutorials", "Send your first event", "iOS"]);
  assert.deepEqual(said.filter((text) => /Content Security Policy|Content-Security-Policy/.test(text)), []);
  await page.close();
  served.close();
});

test("a setting's row is where its anchor leads", async () => {
  const page = await visit.browser.newPage({ viewport: { width: 1280, height: 600 } });
  await page.goto(`${visit.server.url(kinds["step with settings"])}#setting-send-as-batch`);
  assert.match(await page.locator("tr:target").innerText(), /^Send as Batch/);
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector("tr:target").getBoundingClientRect();
    return top >= document.querySelector(".top").offsetHeight && bottom <= innerHeight;
  });
  await page.close();
});
