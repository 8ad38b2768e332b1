import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { type Picture, writeIcns, writeIco } from './containers.ts';

// Draws the icons in build/resources from the two SVG files here with an installed Chromium. Run it after a change of the logo:
// node build/icons/draw.ts

const resources = resolve(import.meta.dirname, '..', 'resources');

async function draw(browser: Browser, svgFile: string, sizes: readonly number[]): Promise<Picture[]> {
  const svg = readFileSync(join(import.meta.dirname, svgFile), 'utf8');
  const page = await browser.newPage();
  const pictures: Picture[] = [];
  for (const size of sizes) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`,
    );
    pictures.push({ size, png: await page.screenshot({ omitBackground: true }) });
  }
  await page.close();
  return pictures;
}

const installed = '/usr/bin/chromium';
const browser = await chromium.launch(
  existsSync(installed) ? { executablePath: installed, args: ['--no-sandbox'] } : { channel: 'chrome' },
);
try {
  const pictures = await draw(browser, 'logo.svg', [16, 24, 32, 48, 64, 128, 256, 512]);
  mkdirSync(join(resources, 'icons'), { recursive: true });
  for (const { size, png } of pictures) writeFileSync(join(resources, 'icons', `${size}x${size}.png`), png);
  writeFileSync(join(resources, 'icon.ico'), writeIco(pictures.filter(({ size }) => size <= 256)));
  const macos = await draw(browser, 'logo-macos.svg', [32, 64, 128, 256, 512, 1024]);
  writeFileSync(join(resources, 'icon.icns'), writeIcns(macos));
} finally {
  await browser.close();
}
