// Takes the manual's screenshots, light and dark: `node manual-pictures.mjs`.
import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { binary, build, folder, launch, root, serveFolder } from "./support.mjs";

/** Maximum size of an image in bytes. */
const most = 60_000;

const pictures = join(root, "static/images/manual");
const site = await serveFolder(await build(root));

/** The program's output as a page that looks like a terminal. */
async function terminal(...options) {
  const { stdout } = await promisify(execFile)(binary, ["--color", "always", ...options]).catch((failed) => failed);
  const text = stdout.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const colours = { 1: "bold", 31: "red", 91: "red", 33: "yellow", 93: "yellow", 34: "blue", 94: "blue", 36: "blue", 96: "blue", 32: "green", 92: "green" };
  const html = text.replace(/\x1b\[([\d;]*)m/g, (_, codes) => {
    const names = codes.split(";").map((code) => colours[code]).filter(Boolean);
    return `</b><b class="${names.join(" ")}">`;
  });
  return `<!doctype html><meta charset="utf-8"><style>
    :root { color-scheme: light dark }
    body { margin: 0; padding: 1.2rem 1.4rem; background: light-dark(#f5f7fa, #12161f); color: light-dark(#1c2230, #e6e9f0); font: 15px/1.45 "DejaVu Sans Mono", monospace; white-space: pre }
    b { font-weight: normal } .bold { font-weight: bold }
    .red { color: light-dark(#b3261e, #ff8a80) } .yellow { color: light-dark(#8a5300, #f2c46d) } .blue { color: light-dark(#2450c4, #8fb0ff) } .green { color: light-dark(#0b6b4c, #66d7ae) }
  </style><b>${html}</b>`;
}

/** A small site with mistakes. */
async function broken() {
  const site = join(await folder(), "my-site");
  await promisify(execFile)(binary, ["init", site]);
  const connect = join(site, "content/first-tutorial/ios/connect.md");
  const text = await readFile(connect, "utf8");
  await writeFile(connect, text.replace("| Batch | on |", "| Batch | off |").replace("install.md#add-the-package", "instal.md"));
  return site;
}

/** A file with the report of `drift --html`. */
async function report() {
  const file = join(await folder(), "drift.html");
  await promisify(execFile)(binary, ["drift", "--root", root, "quickstart", "--html", file]);
  return file;
}

const shots = {
  step: { address: `${site.url}/developers/quickstart/ios/create-connection/`, width: 1100, height: 640 },
  compare: { address: `${site.url}/developers/quickstart/compare/#create-connection`, width: 1100, height: 760 },
  check: { html: await terminal("check", "--root", await broken()), width: 860 },
  drift: { address: `file://${await report()}`, width: 1000, height: 620 },
};

const browser = await launch();
for (const [name, { address, html, width, height }] of Object.entries(shots)) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ colorScheme, reducedMotion: "reduce", deviceScaleFactor: 1.5, viewport: { width, height: height ?? 300 } });
    if (html) await page.setContent(html);
    else await page.goto(address);
    await page.waitForTimeout(500);
    const body = height ? { height } : await page.locator("body").evaluate((body) => ({ height: body.scrollHeight }));
    // Playwright supports only PNG and JPEG.
    const session = await page.context().newCDPSession(page);
    const scroll = await page.evaluate(() => window.scrollY);
    const clip = { x: 0, y: scroll, width, height: body.height, scale: 1 };
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 70, clip, captureBeyondViewport: true });
    const file = join(pictures, `${name}${colorScheme === "dark" ? ".dark" : ""}.webp`);
    await writeFile(file, Buffer.from(data, "base64"));
    const { size } = await stat(file);
    console.log(`${file}: ${size} bytes`);
    if (size > most) throw new Error(`${file} is larger than ${most} bytes`);
    await page.close();
  }
}
await browser.close();
site.close();
