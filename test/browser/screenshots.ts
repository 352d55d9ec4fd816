// `npm run screenshots [-- NAME…]`: screenshots of all or the named pages, light and dark, wide and on a phone:
// docs/screenshots/<page>/<light|dark>-<wide|phone>.png.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startStack } from '#test/support/stack.js';
import { PAGES, type AppPage } from './pages.js';
import { openVisit } from './support/app.js';
import { launchBrowser } from './support/browser.js';
import { smallPng } from './support/small-png.js';
import { buildWorld, WORLD_STACK } from './world/world.js';

const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const WIDTHS = { wide: 1280, phone: 360 };
/** Height in px at which long pages are cut off. */
const MAX_HEIGHT = 900;

const named = process.argv.slice(2);
const pages = PAGES.filter(({ name }) => named.length === 0 || named.includes(name));
const unknown = named.filter((name) => !pages.some((page) => page.name === name));
if (unknown.length > 0) {
  console.error(`There is no page ${unknown.join(', ')}. Pages: ${PAGES.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const browser = await launchBrowser();
const stack = await startStack(WORLD_STACK);
try {
  const world = await buildWorld(stack);
  // Removes screenshots of pages that no longer exist.
  if (named.length === 0) await rm(FOLDER, { recursive: true, force: true });
  for (const page of pages) await takeAll(page);

  async function takeAll(one: AppPage): Promise<void> {
    await mkdir(`${FOLDER}${one.name}`, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      const who = one.as ? { as: one.as(world) } : {};
      const { page, context, problems } = await openVisit(
        { stack, browser },
        { ...who, colorScheme, viewport: { width: WIDTHS.wide, height: 800 }, timezoneId: 'UTC', locale: 'en-GB' },
      );
      const answer = await page.goto(one.path(world));
      if (answer?.status() !== (one.status ?? 200)) throw new Error(`${one.name}: the answer is ${answer?.status()}`);
      await one.open?.(page);
      for (const [size, width] of Object.entries(WIDTHS)) {
        await page.setViewportSize({ width, height: 600 });
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ width, height: Math.min(height, MAX_HEIGHT) });
        // Images of the page load when they are in view.
        await page.waitForFunction(() =>
          Array.from(document.images).every((one) => one.complete || one.getBoundingClientRect().top > innerHeight),
        );
        const png = smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
        const file = `${one.name}/${colorScheme}-${size}.png`;
        await writeFile(`${FOLDER}${file}`, png);
        console.log(`${file} ${(png.length / 1024).toFixed(0)} KiB`, ...problems.all);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await stack.stop();
}
