// The table of contents marks the visible section.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build, differing, serveFolder, visiting } from "./support.mjs";

const visit = visiting(async () => serveFolder(await build(differing)));

test("the section in view is marked, also when it is scrolled to and left upwards", async () => {
  const page = await visit.browser.newPage({ viewport: { width: 1400, height: 700 }, reducedMotion: "reduce" });
  await page.goto(visit.server.url + "/tour/web/connect/");
  const current = (name) => page.waitForFunction((name) => [...document.querySelectorAll(".toc [aria-current=true]")].map((link) => link.textContent).join() === name, name);
  await current("");
  for (const name of ["2.2 Only on the web", "2.3 See that it works", "2.1 Choose the output"]) {
    await page.locator(".toc").getByRole("link", { name }).click();
    await current(name);
  }
  await page.evaluate(() => scrollTo(0, document.getElementById("22-only-on-the-web").getBoundingClientRect().top + scrollY));
  await current("2.2 Only on the web");
  await page.evaluate(() => scrollTo(0, 0));
  await current("");
  await page.close();
});
