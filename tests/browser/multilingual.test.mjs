// A site in several languages: readers switch with a keyboard, with and without scripts, and stay on their page, platform, and section.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { HtmlValidate } from "html-validate";
import { build, folder, serveFolder, visiting } from "./support.mjs";

const run = promisify(execFile);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const texts = { "": ["Install", "First", "Second", "Text."], "de/": ["Einrichten", "Zuerst", "Danach", "Wörter."], "ja/": ["導入", "最初に", "次に", "文章。"], "ar/": ["تثبيت", "أولا", "ثانيا", "نص."] };

/** A tutorial in four languages. Its second step isn't translated. */
async function site() {
  const from = await folder();
  const pages = { "stepkin.toml": 'title = "Docs"\nbase_url = "https://docs.example.com/"\n', "content/guide.md": "---\ntitle: Guide\n---\nText.\n" };
  for (const [language, [title, first, second, text]] of Object.entries(texts)) {
    pages[`content/${language}index.md`] = `---\ntitle: ${title}\n---\n${text}\n`;
    for (const platform of ["web", "ios"]) {
      const body = `${text}\n\n## ${first}\n\n${`${text}\n\n`.repeat(30)}## ${second}\n\n${`${text}\n\n`.repeat(30)}`;
      pages[`content/${language}tour/${platform}/install.md`] = `---\ntitle: ${title}\norder: 1\n---\n${body}`;
    }
  }
  for (const platform of ["web", "ios"]) pages[`content/tour/${platform}/use.md`] = "---\ntitle: Use\norder: 2\n---\nUse it.\n\n## Call\n\nCall it.\n";
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(dirname(join(from, path)), { recursive: true });
    await writeFile(join(from, path), text);
  }
  const git = (day, ...options) => run("git", ["-C", from, "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", ...options], { env: { ...process.env, GIT_AUTHOR_DATE: day, GIT_COMMITTER_DATE: day } });
  await git("2025-01-01T12:00:00Z", "init", "--quiet");
  await git("2025-01-01T12:00:00Z", "add", ".");
  await git("2025-01-01T12:00:00Z", "commit", "--quiet", "-m", "one");
  const original = join(from, "content/tour/web/install.md");
  await writeFile(original, (await readFile(original, "utf8")).replace("## Second\n\nText.", "## Second\n\nUse the signed package."));
  await git("2025-02-01T12:00:00Z", "commit", "--quiet", "-am", "two");
  return serveFolder(await build(from));
}

const visit = visiting(site);
const open = async (path, settings = {}) => {
  const context = await visit.browser.newContext({ viewport: { width: 1280, height: 700 }, ...settings });
  const page = await context.newPage();
  await page.goto(visit.server.url + path);
  return page;
};

test("the language is switched by keyboard, and the section stays", async () => {
  const page = await open("/ja/tour/ios/install/#" + encodeURIComponent("次に"));
  await page.focus(".languages summary");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/tour/ios/install/#second");
  // The language that was chosen is the first, wherever the reader comes from.
  await page.goto(visit.server.url + "/de/tour/web/install/");
  assert.equal(await page.getAttribute(".languages li a", "hreflang"), "en");
  await page.context().close();
});

test("without scripts, the page and the platform stay", async () => {
  const page = await open("/ar/tour/ios/use/", { javaScriptEnabled: false });
  await page.click(".languages summary");
  await page.click(".languages a[hreflang=de]");
  assert.equal(page.url(), visit.server.url + "/de/tour/ios/use/");
  await page.context().close();
});

test("the menu of a page in another direction leaves its title free", async () => {
  for (const path of ["/ar/tour/ios/use/", "/ar/guide/", "/de/guide/"]) {
    const page = await open(path);
    await page.click("article > .menu > summary");
    const box = async (selector) => page.locator(selector).boundingBox();
    const [article, menu, list] = await Promise.all([box("article"), box("article > .menu > summary"), box("article > .menu > ul")]);
    const title = await page.locator("article h1").evaluate((it) => {
      const range = document.createRange();
      range.selectNodeContents(it);
      return range.getBoundingClientRect().toJSON();
    });
    assert.ok(title.right <= menu.x, `${path}: ${title.right} ${menu.x}`);
    assert.ok(list.x >= article.x && list.x + list.width <= article.x + article.width + 1, path);
    await page.context().close();
  }
});

test("a section that is behind leads to the original's section", async () => {
  const page = await open("/de/tour/web/install/");
  const notices = await page.$$eval("a[hreflang=en][href$='#second']", (links) => links.filter((link) => !link.closest(".languages")).map((link) => link.getBoundingClientRect().width > 0));
  assert.deepEqual(notices, [true]);
  await page.focus("main a[hreflang=en][href$='#second']");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/tour/web/install/#second");
  assert.match(await page.innerText("main"), /Use the signed package/);
  await page.context().close();
});

const paths = ["/", "/de/", "/de/tour/web/install/", "/ja/tour/", "/ja/tour/web/install/", "/ar/tour/ios/install/", "/ar/tour/ios/use/", "/de/guide/", "/de/404.html"];

for (const width of [360, 1280]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`pages fit, and are accessible with an open menu: ${width} pixels, ${colorScheme}`, async () => {
      for (const path of paths) {
        const page = await open(path, { viewport: { width, height: 700 }, colorScheme });
        if (await page.$(".languages summary")) await page.click(".languages summary");
        assert.equal(await page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth)), 0, path);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0].html}`), []);
        await page.context().close();
      }
    });
  }
}

test("pages are valid HTML", async () => {
  const rules = { "valid-id": ["error", { relaxed: true }], "prefer-native-element": ["error", { exclude: ["listbox"] }] };
  const validator = new HtmlValidate({ root: true, extends: ["html-validate:standard", "html-validate:a11y"], rules });
  for (const path of paths) {
    const { results } = await validator.validateFile(join(visit.server.folder, path.endsWith("/") ? `${path}index.html` : path));
    assert.deepEqual(results.flatMap(({ messages }) => messages.map(({ line, message }) => `${path}:${line} ${message}`)), []);
  }
});
