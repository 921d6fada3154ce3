// Takes each kind of page, wide and narrow, light and dark: `node screenshots.mjs FOLDER`.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { hold, kinds, launch, serveAll } from "./support.mjs";

const folder = process.argv[2] ?? "screenshots";
await mkdir(folder, { recursive: true });
const sites = await serveAll();
const browser = await launch();
const page = await browser.newPage();
await hold(page);
for (const [kind, place] of Object.entries(kinds)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 768, 360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(sites.url(place));
      await page.screenshot({ path: join(folder, `${kind.replaceAll(" ", "-")}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
}
await browser.close();
sites.close();
