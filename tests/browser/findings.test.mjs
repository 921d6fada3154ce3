// Authors see the findings on the open page, and can fix them.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { folder, serveWatching, visiting } from "./support.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const file = (platform) => `content/tour/${platform}/start.md`;
const page = (text) => `---\ntitle: Start\norder: 1\n---\n${"Some text.\n\n".repeat(60)}${text}\n`;
const visit = visiting(async () => {
  const from = await folder();
  for (const platform of ["web", "ios"]) {
    await mkdir(join(from, `content/tour/${platform}`), { recursive: true });
    await writeFile(join(from, file(platform)), page("All is well."));
  }
  await writeFile(join(from, "stepkin.toml"), "[serve]\neditor = \"vscode\"\n");
  return serveWatching(from);
});

const save = (platform, text) => writeFile(join(visit.server.site, file(platform)), page(text));
const wrong = "CafÃ© and naÃ¯ve, see [there](/nowhere/).";

/** Opens the page with its findings. */
async function opened(settings = {}) {
  await save("web", wrong);
  await save("ios", "All is well.");
  const context = await visit.browser.newContext(settings);
  const open = await context.newPage();
  await open.goto(`${visit.server.url}/tour/web/start/`);
  await open.locator(".corner", { hasText: "here" }).click();
  const dialog = open.getByRole("dialog", { name: "On this page" });
  await dialog.getByText("doesn't exist").waitFor();
  return { context, open, dialog };
}

test("findings are shown with marks, and Escape leads back", async () => {
  const { context, open, dialog } = await opened();
  assert.deepEqual(await dialog.locator("mark").allInnerTexts(), ["Ã©", "Ã¯", "/nowhere/"]);
  const href = await dialog.getByRole("link", { name: /^Open in the editor/ }).first().getAttribute("href");
  assert.match(href, /^vscode:\/\/file\/.*content\/tour\/web\/start\.md:125:4$/);
  // Navigation keys don't apply while the findings are open.
  await open.keyboard.press("1");
  await open.keyboard.press("t");
  await open.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.ok(open.url().endsWith("/tour/web/start/"));
  assert.equal(await open.evaluate(() => document.getElementById("stepkin-corner").shadowRoot.activeElement?.className), "corner failed");
  await context.close();
});

test("fixes one finding, then all fixable ones, and keeps the findings open", async () => {
  const { context, open, dialog } = await opened();
  await dialog.getByRole("button", { name: /^Fix: / }).first().click();
  await dialog.locator("mark", { hasText: "Ã©" }).waitFor({ state: "detached" });
  assert.ok((await readFile(join(visit.server.site, file("web")), "utf8")).includes("Café and naÃ¯ve"));
  await dialog.getByRole("button", { name: /^Fix: / }).click();
  await dialog.getByRole("button", { name: /^Fix/ }).waitFor({ state: "detached" });
  assert.equal(await readFile(join(visit.server.site, file("web")), "utf8"), page("Café and naïve, see [there](/nowhere/)."));
  await save("web", wrong);
  await dialog.getByRole("button", { name: "Fix 2 of these" }).click();
  await open.getByText("Café and naïve, see there.").waitFor();
  await dialog.getByText("doesn't exist").waitFor();
  await context.close();
});

test("refuses a fix while the file is saved, and says so", async () => {
  const { context, open, dialog } = await opened();
  await open.route("**/_stepkin/fix", async (route) => {
    const response = await route.fetch({ postData: "[]" });
    await route.fulfill({ response });
  });
  await dialog.getByRole("button", { name: /^Fix: / }).first().click();
  assert.match(await dialog.getByRole("alert").innerText(), /The files have changed/);
  await context.close();
});

test("all findings are listed by file, and the way back leads to where one was", async () => {
  const { context, open, dialog } = await opened();
  await dialog.getByRole("button", { name: "Close" }).click();
  await open.evaluate(() => scrollTo({ top: 700, behavior: "instant" }));
  await open.locator(".corner").click();
  await dialog.getByRole("link", { name: "All findings (3)" }).click();
  await open.getByRole("heading", { name: file("web") }).waitFor();
  await open.getByRole("link", { name: "/tour/web/start/" }).waitFor();
  await open.getByRole("link", { name: "Back to the page" }).click();
  await open.waitForURL("**/tour/web/start/");
  await open.waitForFunction(() => Math.abs(scrollY - 700) < 5);
  await context.close();
});

test("other pages say that there are findings elsewhere, and readers who listen are told once", async () => {
  const { context, open } = await opened();
  await open.goto(`${visit.server.url}/tour/ios/start/`);
  const corner = open.locator(".corner");
  await corner.waitFor();
  assert.equal(await corner.innerText(), "3 findings on other pages");
  const status = open.locator("#stepkin-corner [role=status]");
  assert.equal(await status.textContent(), "3 findings on other pages");
  await open.reload();
  await corner.waitFor();
  assert.equal(await status.textContent(), "");
  await save("web", "All is well.");
  await open.waitForFunction(() => document.getElementById("stepkin-corner")?.shadowRoot.querySelector("[role=status]").textContent === "Nothing to report any more");
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`nothing keeps readers from findings in a ${colorScheme} window as narrow as a phone`, async () => {
    const { context, open } = await opened({ colorScheme, viewport: { width: 360, height: 740 } });
    const check = async () => {
      await open.evaluate(axe);
      const { violations } = await open.evaluate(() => window.axe.run());
      // axe checks the order within one tree only. The position of the link is checked below.
      const isSkip = ({ target }) => String(target) === ".skip";
      const found = violations.map(({ id, nodes }) => [id, nodes.filter((node) => !isSkip(node)).map(({ target }) => target)]);
      assert.deepEqual(found.filter(([, targets]) => targets.length > 0), []);
      assert.ok(await open.evaluate(() => document.documentElement.scrollWidth <= 360));
    };
    await check();
    if (process.env.SCREENSHOTS) await open.screenshot({ path: `${process.env.SCREENSHOTS}/panel-${colorScheme}.png` });
    await open.goto(`${visit.server.url}/_stepkin/findings`);
    if (process.env.SCREENSHOTS) await open.screenshot({ path: `${process.env.SCREENSHOTS}/list-${colorScheme}.png` });
    await check();
    await open.goto("about:blank");
    await writeFile(join(visit.server.site, file("web")), "---\ntitle: [x\n---\n");
    const isOld = async () => (await (await fetch(`${visit.server.url}/tour/web/start/`)).text()).includes("This page is outdated");
    while (!(await isOld())) await open.waitForTimeout(20);
    await open.goto(`${visit.server.url}/tour/web/start/`);
    await open.getByText("This page is outdated:").waitFor();
    await check();
    const order = await open.evaluate(() => [...document.querySelectorAll(".skip, #stepkin-outdated, .top")].map((element) => element.className || element.id));
    assert.deepEqual(order, ["skip", "stepkin-outdated", "top"]);
    if (process.env.SCREENSHOTS) await open.screenshot({ path: `${process.env.SCREENSHOTS}/old-${colorScheme}.png` });
    await context.close();
  });
}
