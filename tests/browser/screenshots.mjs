// Takes each kind of page, wide and narrow, light and dark: `node screenshots.mjs FOLDER`.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build, kinds, launch, root, serveFolder } from "./support.mjs";

const folder = process.argv[2] ?? "screenshots";
await mkdir(folder, { recursive: true });
const server = await serveFolder(await build(root));
const browser = await launch();
for (const [kind, path] of Object.entries(kinds)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 360]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      await page.goto(server.url + path);
      await page.screenshot({ path: join(folder, `${kind.replaceAll(" ", "-")}-${width}-${colorScheme}.png`), fullPage: true });
      await page.close();
    }
  }
}
await browser.close();
server.close();
