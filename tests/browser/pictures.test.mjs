// Images in the sizes that screens need, full-size views, frames, videos and tables in raw HTML.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { build, folder, serveFolder, visiting } from "./support.mjs";

/** A PNG that looks like a screenshot to an encoder: boxes in many colors. */
function png(width, height, seed = 1) {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    at += 1;
    for (let x = 0; x < width; x += 1) {
      for (const by of [7, 11, 23]) rows[at++] = (((x / by) | 0) * 31 + ((y / 9) | 0) * 17 + seed * 40) ^ (((x + y) / 5) | 0);
    }
  }
  const chunk = (name, data) => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

const files = {
  "content/pictures.md": `---
title: Pictures
---

![](/images/dialog.png)

1. Open the list.

   ![](/images/list.png)

2. Look at all of it.

   ![Everything](/images/whole.png)

[![](/images/dialog.png)](/frames/)

![](/images/both.png)
`,
  "content/frames.md": `---
title: Frames
---

## Watch it

<iframe width="640" height="360" src="//www.youtube.com/embed/abc?rel=0" frameborder="0" allowfullscreen></iframe>

## Elsewhere

<iframe width="640" height="360" src="//maps.invalid/frame"></iframe>

<div style="width:450px">Wide</div>

<table><tr><th>${"Wide".repeat(30)}</th><th>${"Wider".repeat(30)}</th></tr><tr><td>1</td><td>2</td></tr></table>

<img src="/images/whole.png" width="900">
`,
  "static/images/dialog.png": png(250, 679),
  "static/images/list.png": png(1592, 572),
  "static/images/whole.png": png(2400, 1600),
  "static/images/both.png": png(600, 400, 2),
  "static/images/both.dark.png": png(600, 400, 3),
};

async function site() {
  const root = await folder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return build(root);
}

const visit = visiting(async () => serveFolder(await site()));

async function open(path, options = {}) {
  const context = await visit.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.loaded = [];
  page.on("response", async (response) => page.loaded.push({ path: new URL(response.url()).pathname, size: (await response.body().catch(() => "")).length }));
  await page.addInitScript(() => {
    window.moved = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.moved += entry.value))).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(visit.server.url + path);
  return page;
}

/** Scrolls through the page, so that all of it is loaded. */
async function scroll(page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 400) {
    await page.evaluate((y) => scrollTo(0, y), y);
    await page.waitForTimeout(50);
  }
  await page.waitForLoadState("networkidle");
}

test("a picture is no wider than it is and no higher than most of the window, and nothing moves when it comes", async () => {
  for (const width of [1280, 360]) {
    const page = await open("/pictures/", { viewport: { width, height: 800 } });
    await scroll(page);
    const shown = await page.locator(".prose figure img:not(.on-dark)").evaluateAll((images) => images.map((image) => [image.getAttribute("width"), image.getAttribute("height"), image.clientWidth, image.clientHeight, image.parentElement.clientWidth].map(Number)));
    assert.equal(shown.length, 4);
    for (const [natural, high, wide, tall] of shown) {
      assert.ok(wide <= natural && tall <= 560, `${natural} × ${high} is shown at ${wide} × ${tall}`);
      assert.ok(Math.abs(wide / tall - natural / high) < 0.05, `${natural} × ${high} is shown at ${wide} × ${tall}`);
    }
    assert.ok(shown[0][3] > 500, "a high picture uses the room there is");
    assert.equal(await page.evaluate(() => window.moved), 0);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.context().close();
  }
});

test("a phone loads pictures of its own size, and the original only to look closely", async () => {
  const page = await open("/pictures/", { viewport: { width: 360, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  await scroll(page);
  const pictures = page.loaded.filter(({ path }) => /\.(png|webp)$/.test(path));
  assert.ok(pictures.length >= 4);
  assert.deepEqual(pictures.filter(({ path }) => !path.startsWith("/_stepkin/pictures/")), []);
  await page.locator("figure a").nth(1).tap();
  await page.getByRole("dialog", { name: "Image" }).getByRole("img", { includeHidden: true }).or(page.locator(".pan img")).first().waitFor();
  await page.locator(".pan img").evaluate((image) => image.decode());
  assert.ok(page.loaded.some(({ path }) => path === "/images/list.png"));
  await page.context().close();
});

test("every picture opens as large as fits, and a click shows it in its natural size; Close is beside it", async () => {
  for (const [width, height] of [[1280, 900], [360, 780]]) {
    const page = await open("/pictures/", { viewport: { width, height } });
    const links = page.locator(".prose figure > a");
    assert.equal(await page.getByRole("link", { name: "Enlarge image" }).count(), 3);
    const dialog = page.getByRole("dialog", { name: "Image" });
    for (const [at, natural] of [[0, 250], [1, 1592], [2, 2400]]) {
      await links.nth(at).click();
      await dialog.waitFor();
      const image = page.locator(".pan img");
      await image.evaluate((image) => image.decode());
      assert.ok(await image.evaluate((image) => image.getBoundingClientRect().width <= innerWidth), "all of it");
      await image.click();
      assert.equal(await image.evaluate((image) => image.getBoundingClientRect().width), natural);
      const pan = await page.locator(".pan").boundingBox();
      const close = await dialog.getByRole("button").boundingBox();
      assert.ok(close.y + close.height <= pan.y, "it covers nothing");
      assert.ok(close.x >= 0 && close.x + close.width <= width && pan.y + pan.height <= height);
      if (natural > width) {
        const scrolled = () => page.locator(".pan").evaluate((pan) => [pan.scrollLeft, pan.scrollTop]);
        assert.deepEqual(await scrolled(), [0, 0]);
        await page.mouse.move(pan.x + 200, pan.y + 200);
        await page.mouse.down();
        await page.mouse.move(pan.x + 140, pan.y + 150, { steps: 4 });
        await page.mouse.up();
        const [left, top] = await scrolled();
        assert.ok(left >= 50, `${left} ${top}`);
        await image.click();
        assert.ok(await image.evaluate((image) => image.getBoundingClientRect().width <= innerWidth), "all of it again");
      }
      await dialog.getByRole("button", { name: "Close" }).click();
      await dialog.waitFor({ state: "hidden" });
    }
    await page.context().close();
  }
});

test("with fingers a picture is shown as it is by a tap, panned, fitted by a tap and enlarged by a pinch", async () => {
  const page = await open("/pictures/", { viewport: { width: 360, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  await page.locator(".prose figure > a").nth(2).tap();
  const image = page.locator(".pan img");
  await image.evaluate((image) => image.decode());
  const session = await page.context().newCDPSession(page);
  /** Touches, each with its sequence of positions. */
  const touch = async (...fingers) => {
    const send = (type, at) => session.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : fingers.map((places, id) => ({ x: places[at], y: 400, id })) });
    for (const at of fingers[0].keys()) {
      await send(at ? "touchMove" : "touchStart", at);
      await page.waitForTimeout(20);
    }
    await send("touchEnd");
  };
  const way = (from, to) => Array.from({ length: 10 }, (_, at) => from + ((to - from) * at) / 9);
  // On a busy machine, a tap can last so long that the browser treats it as a long press, so taps are repeated.
  const tap = async (expected) => {
    for (let tries = 0; tries < 10; tries++) {
      await touch([180]);
      if (await image.and(page.locator(expected)).waitFor({ timeout: 2000 }).then(() => true, () => false)) return;
    }
    assert.fail(`no tap makes the picture ${expected}`);
  };
  await tap(":not(.fit)");
  await touch(way(300, 100));
  assert.ok((await page.locator(".pan").evaluate((pan) => pan.scrollLeft)) > 100);
  // A tap on an image that is still gliding only stops it.
  await page.waitForFunction(() => new Promise((rest) => {
    const pan = document.querySelector(".pan");
    const at = pan.scrollLeft;
    setTimeout(() => rest(pan.scrollLeft === at), 200);
  }));
  const width = () => image.evaluate((image) => image.getBoundingClientRect().width);
  const scale = () => page.evaluate(() => visualViewport.scale);
  await tap(".fit");
  assert.ok((await width()) <= 360 && (await scale()) === 1);
  await touch(way(170, 100), way(190, 260));
  assert.ok((await scale()) > 1.2, `${await scale()}`);
  await touch(way(20, 170), way(340, 190));
  assert.equal(await scale(), 1);
  await tap(":not(.fit)");
  assert.equal(await width(), 2400);
  await page.context().close();
});

test("a picture outside a figure that is shown smaller than it is can be enlarged, with its caption", async () => {
  const page = await open("/frames/");
  await scroll(page);
  await page.locator(".prose .zoom > img").click();
  await page.locator(".pan img.fit").waitFor();
  assert.ok((await page.locator(".pan img").getAttribute("src")).endsWith("/images/whole.png"));
  await page.goto(visit.server.url + "/pictures/");
  await page.locator(".prose figure > a").nth(2).click();
  await page.locator(".pan img.fit").waitFor();
  assert.equal(await page.locator(".large .caption").innerText(), "Everything");
  await page.context().close();
});

test("a picture that its author has linked leads where that link leads", async () => {
  const page = await open("/pictures/");
  await page.locator("p > a[href='/frames/'] img").click();
  await page.waitForURL("**/frames/");
  await page.context().close();
});

test("the picture for the colours that are shown is the one that is loaded, and enlarged", async () => {
  for (const [scheme, theme, expected] of [["light", null, "both.png"], ["dark", null, "both.dark.png"], ["light", "dark", "both.dark.png"], ["dark", "light", "both.png"]]) {
    const page = await open("/pictures/", { colorScheme: scheme });
    if (theme) {
      await page.evaluate((theme) => localStorage.setItem("stepkin.theme", JSON.stringify(theme)), theme);
      page.loaded.length = 0;
      await page.reload();
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    }
    await scroll(page);
    const link = page.locator("figure > a[href='/images/both.png']");
    const sources = await link.locator("img").evaluateAll((images) => images.map(({ currentSrc }) => currentSrc).filter(Boolean));
    assert.equal(sources.length, 1, `${scheme} ${theme}`);
    await link.click();
    assert.ok((await page.locator(".pan img").getAttribute("src")).endsWith(`/images/${expected}`), `${scheme} ${theme}`);
    await page.context().close();
  }
});

test("nothing that authors embed makes a page of 360 pixels scroll sideways", async () => {
  const page = await open("/frames/", { viewport: { width: 360, height: 780 } });
  await scroll(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const table = page.locator("table[tabindex]");
  assert.ok(await table.evaluate((table) => table.scrollWidth > table.clientWidth));
  assert.equal(await page.getByRole("table").count(), 1, "it is still a table");
  assert.equal(await page.locator("iframe").getAttribute("title"), "Elsewhere");
  assert.equal(await page.evaluate(() => window.moved), 0);
  await page.context().close();
});

test("a video is a link, and is loaded where it is once a reader wants it", async () => {
  const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-src https://www.youtube.com";
  const server = await serveFolder(visit.server.folder, { policy });
  const context = await visit.browser.newContext();
  const asked = [];
  await context.route(/youtube|maps/, (route) => (asked.push(route.request().url()), route.fulfill({ body: "<p>player", contentType: "text/html" })));
  const page = await context.newPage();
  await page.goto(`${server.url}/frames/`);
  await scroll(page);
  assert.deepEqual(asked.filter((url) => url.includes("youtube")), []);
  const link = page.getByRole("link", { name: "Play the video Watch it" });
  assert.equal(await link.getAttribute("href"), "https://www.youtube.com/watch?v=abc");
  await link.click();
  await page.frameLocator("iframe[title='Watch it']").getByText("player").waitFor();
  assert.deepEqual(asked.filter((url) => url.includes("youtube")), ["https://www.youtube.com/embed/abc?rel=0&autoplay=1"]);
  await context.close();
  server.close();
});

test("where no frames are allowed, and without scripts, the link leads to the video", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await visit.browser.newContext({ javaScriptEnabled });
    await context.route(/youtube/, (route) => route.fulfill({ body: "<p>video", contentType: "text/html" }));
    const page = await context.newPage();
    await page.goto(`${visit.server.url}/frames/`);
    await page.locator("a.video").click();
    await page.waitForURL("https://www.youtube.com/watch?v=abc");
    await context.close();
  }
});
