// Pages in other languages: long words fit on a phone, and code runs from left to right in every line.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { build, folder, serveFolder, visiting } from "./support.mjs";

const LONG = "Benutzerauthentifizierungskonfiguration";

/** A built site with `words` in its language, and two platforms with three steps with long names. */
async function site(language, long, setting, words = "") {
  const from = await folder();
  const pages = { "stepkin.toml": `language = "${language}"\ntitle = "${long}"\n`, "content/index.md": `---\ntitle: ${long}\n---\n${long}\n` };
  if (words) pages[`templates/words/${language}.toml`] = words;
  for (const platform of ["web", "ios"]) {
    for (const [at, name] of ["a", "b", "c"].entries()) {
      pages[`content/start/${platform}/${name}.md`] = `---
title: ${long}${at}
order: ${at + 1}
duration: 5
---
${long} \`x --${platform}\` ${long}

## ${long} ${long}

- ${long}: \`./a-b.sh\`.

| ${setting} | ${long} | ${long} |
| - | - | - |
| ${long} | \`${platform} --flag\` | ${long} |

| ${long} | ${long} | ${long} | ${long} |
| - | - | - | - |
| ${long} | ${long} | ${long} | ${long} |

1. ${long}
2. ${long}

\`\`\`sh title="a-b.sh"
npm install (x)
\`\`\`
`;
    }
  }
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(dirname(join(from, path)), { recursive: true });
    await writeFile(join(from, path), text);
  }
  return serveFolder(await build(from));
}

const PAGES = ["/", "/start/", "/start/web/b/", "/start/compare/", "/start/web/print/"];

const open = async ({ browser, server }, path, width) => {
  const page = await browser.newPage({ viewport: { width, height: 780 } });
  await page.goto(server.url + path);
  return page;
};

/** By how much the page is wider than its window. */
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const german = visiting(() => site("de", LONG, "Verbindungseinstellung"));

test("no page of long German words scrolls sideways on a phone", async () => {
  for (const width of [360, 320]) {
    for (const path of PAGES) {
      const page = await open(german, path, width);
      assert.equal(await overflow(page), 0, `${path} at ${width}`);
      await page.close();
    }
  }
});

test("a German page says so, hyphenates its text and leaves its code whole", async () => {
  const page = await open(german, "/start/web/b/", 360);
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  const hyphens = (selector) => page.locator(selector).first().evaluate((it) => getComputedStyle(it).hyphens);
  assert.equal(await hyphens("h1"), "auto");
  assert.equal(await hyphens("main p code"), "manual");
  assert.equal(await hyphens("pre code"), "manual");
  assert.ok(await page.locator("#setting-benutzerauthentifizierungskonfiguration").count());
  await page.close();
});

const arabic = visiting(() => site("ar", "التحقق", "setting"));
// There are no Persian words, so the pages use English ones.
const persian = visiting(() => site("fa", "بررسی", "setting"));

/** The horizontal positions of the pieces in `sought` of a text. */
const places = (locator, sought) =>
  locator.evaluate((element, sought) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    return sought.map((piece) => {
      for (walker.currentNode = element; walker.nextNode();) {
        const at = walker.currentNode.data.indexOf(piece);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + piece.length);
        return range.getBoundingClientRect().left;
      }
      return undefined;
    });
  }, sought);

test("no Arabic page scrolls sideways on a phone", async () => {
  for (const path of PAGES) {
    const page = await open(arabic, path, 360);
    assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
    assert.equal(await overflow(page), 0, path);
    await page.close();
  }
});

test("code in an Arabic line runs from left to right", async () => {
  const page = await open(arabic, "/start/web/b/", 1280);
  for (const code of ["main p code", "pre"]) {
    assert.equal(await page.locator(code).first().evaluate((it) => getComputedStyle(it).direction), "ltr");
  }
  const [x, flag] = await places(page.locator("main p code").first(), ["x", "--web"]);
  assert.ok(x < flag, "a sentence's code");
  const [file, ending] = await places(page.locator(".code figcaption"), ["a-b", ".sh"]);
  assert.ok(file < ending, "a file's name");
  await page.close();
});

test("English words in a Persian page keep their order", async () => {
  const page = await open(persian, "/start/web/b/", 1280);
  const tally = page.locator(".tally");
  await tally.waitFor();
  const [zero, of, word] = await places(tally, ["0", "of", "ticked"]);
  assert.ok(zero < of && of < word, `${zero} ${of} ${word}`);
  await page.close();
});

test("scripts and the build take the same form for a number", async () => {
  const page = await open(arabic, "/start/web/b/", 1280);
  const said = await page.evaluate(() => {
    const place = document.createElement("p");
    Object.assign(place.dataset, { zero: "z", one: "o", two: "t", few: "f {count}", many: "m", other: "x" });
    return [0, 1, 2, 3, 11, 100].map((number) => (stepkin.count(place, number), place.textContent));
  });
  assert.deepEqual(said, ["z", "o", "t", "f 3", "m", "x"]);
  await page.close();
});
