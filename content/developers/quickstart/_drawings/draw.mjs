// Draws every picture of drawings.json into static/images/quickstart/<platform>/.
//
//   node draw.mjs                 all pictures
//   node draw.mjs ios             one platform
//   node draw.mjs ios/overview-1  one picture
//
// CHROMIUM names the browser; without it, /usr/bin/chromium is used.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import * as screens from './screens.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const images = join(here, '../../../../static/images/quickstart');
const { platforms, drawings } = JSON.parse(await readFile(join(here, 'drawings.json'), 'utf8'));
const css = await readFile(join(here, 'style.css'), 'utf8');
const wanted = process.argv[2] ?? '';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none'],
});
const page = await browser.newPage({ deviceScaleFactor: 2 });

// The page is opened from a file, so that it may load the font beside it.
const sheet = join(here, '.sheet.html');

try {
  for (const [id, platform] of Object.entries(platforms)) {
    await mkdir(join(images, id), { recursive: true });
    for (const { name, screen, height, only } of drawings) {
      if (only && !only.includes(id)) continue;
      if (!`${id}/${name}`.startsWith(wanted)) continue;

      await writeFile(sheet, document(platform, screens[screen]({ id, ...platform })));
      await page.setViewportSize({ width: 760, height });
      await page.goto(pathToFileURL(sheet).href);
      await page.evaluate(() => document.fonts.ready);
      const png = await sharp(await page.screenshot())
        .png({ palette: true, colours: 128, effort: 10, dither: 0.3, compressionLevel: 9 })
        .toBuffer();
      await writeFile(join(images, id, `${name}.png`), png);
      console.log(`${id}/${name}.png  ${Math.ceil(png.length / 1000)} kB`);
    }
  }
} finally {
  await browser.close();
  await rm(sheet, { force: true });
}

function document({ accent, tint }, body) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<style>${css}</style>
<body style="--accent: ${accent}; --tint: ${tint}">${body}</body>
</html>`;
}
