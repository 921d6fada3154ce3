// An author saves a file, and the open page is updated.
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { folder, serveWatching, visiting } from "./support.mjs";

const file = "content/tour/web/start.md";
const visit = visiting(async () => {
  const from = await folder();
  for (const platform of ["web", "ios"]) {
    await mkdir(join(from, `content/tour/${platform}`), { recursive: true });
    const text = Array.from({ length: 80 }, (_, line) => `Paragraph ${line}.\n`).join("\n");
    await writeFile(join(from, `content/tour/${platform}/start.md`), `---\ntitle: Start\norder: 1\n---\n${text}`);
  }
  return serveWatching(from);
});

test("a save is shown where the reader was", async () => {
  const page = await visit.browser.newPage();
  const listening = page.waitForResponse(/_stepkin\/events/);
  await page.goto(`${visit.server.url}/tour/web/start/`);
  await listening;
  await page.evaluate(() => scrollTo({ top: 900, behavior: "instant" }));
  await page.waitForTimeout(300);
  const text = await readFile(join(visit.server.site, file), "utf8");
  await writeFile(join(visit.server.site, file), text.replace("Paragraph 40.", "Paragraph forty."));
  await page.getByText("Paragraph forty.").waitFor();
  await page.waitForFunction(() => Math.abs(scrollY - 900) < 5);
  await page.close();
});

test("a save is shown that came before the page listened", async () => {
  const page = await visit.browser.newPage();
  const save = async (route) => {
    const text = await readFile(join(visit.server.site, file), "utf8");
    await writeFile(join(visit.server.site, file), text.replace("Paragraph 50.", "Paragraph fifty."));
    const isShown = async () => (await (await fetch(page.url())).text()).includes("Paragraph fifty.");
    while (!(await isShown())) await page.waitForTimeout(20);
    await route.continue();
  };
  await page.route("**/_stepkin/events?*", save, { times: 1 });
  await page.goto(`${visit.server.url}/tour/web/start/`);
  await page.getByText("Paragraph fifty.").waitFor();
  await page.close();
});

test("what is wrong is told on the page, which is said to be old", async () => {
  const page = await visit.browser.newPage();
  await page.goto(`${visit.server.url}/tour/web/start/`);
  const corner = page.locator("#stepkin-corner .corner");
  await writeFile(join(visit.server.site, "stepkin.toml"), "titel = 'x'\n");
  await corner.waitFor();
  assert.equal(await corner.innerText(), "The site can't be read");
  assert.equal(await page.getByText("Paragraph 1.", { exact: true }).count(), 1);
  const notice = page.locator("#stepkin-outdated");
  await notice.getByText("This page is outdated:").waitFor();
  await notice.getByText("unknown key `titel`").waitFor();
  await notice.getByRole("link", { name: "All findings" }).click();
  await page.getByText("unknown key `titel`").waitFor();
  await rm(join(visit.server.site, "stepkin.toml"));
  await page.getByText("No problems found.").waitFor();
  await page.getByRole("link", { name: "Back to the page" }).click();
  await page.waitForURL("**/tour/web/start/");
  await corner.waitFor({ state: "hidden" });
  await page.close();
});
