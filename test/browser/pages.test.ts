import { expect } from 'chai';
import { PAGES } from './pages.js';
import { openVisit, useApp } from './support/app.js';
import { axeFindings } from './support/axe.js';
import { launchBrowser } from './support/browser.js';
import { firstLoadProblems } from './support/first-load.js';
import { keyboardProblems } from './support/keyboard.js';
import { overflowing } from './support/overflow.js';
import { buildWorld, WORLD_STACK, type World } from './world/world.js';

const WIDTHS = { wide: 1280, phone: 360 };

describe('every page', function () {
  this.timeout(120_000);
  const app = useApp(WORLD_STACK);
  let world: World;

  before(async function () {
    this.timeout(180_000);
    world = await buildWorld(app.stack);
  });

  describe('loads little, works with the keyboard, and passes axe, light and dark, wide and on a phone', () => {
    for (const { name, path, as, status = 200, open } of PAGES) {
      app.it(name, async () => {
        const { page, problems } = await app.visit(as ? { as: as(world) } : {});
        if (status !== 200) problems.expect(new RegExp(`^answer: ${status} `));
        const found = await firstLoadProblems(page, async () => {
          const answer = await page.goto(path(world));
          expect(answer?.status()).to.equal(status);
        });
        await open?.(page);
        for (const [size, width] of Object.entries(WIDTHS)) {
          await page.setViewportSize({ width, height: 900 });
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            found.push(...(await axeFindings(page)).map((finding) => `${size}, ${colorScheme}: ${finding}`));
          }
          found.push(...(await overflowing(page)).map((what) => `${size}: overflows: ${what}`));
        }
        await page.setViewportSize({ width: WIDTHS.wide, height: 900 });
        found.push(...(await keyboardProblems(page)));
        expect(found).to.deep.equal([]);
      });
    }
  });

  app.it('shows times in the reader’s zone, and the exact value in a tooltip', async () => {
    const { page } = await app.visit({ as: world.owner, timezoneId: 'Pacific/Auckland', locale: 'en-NZ' });
    await page.goto(`/runs/${world.runs.passed}`);
    const { endedAt } = (await app.stack.collections.runs.findOne({ _id: world.runs.passed }))!;
    const time = page.locator(`time[data-moment][datetime="${endedAt!.toISOString()}"]`).first();
    const options = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Pacific/Auckland' } as const;
    expect(await time.textContent()).to.equal(new Intl.DateTimeFormat('en-NZ', options).format(endedAt));
    expect(await time.getAttribute('title')).to.equal(endedAt!.toISOString());
  });

  app.it('draws charts in a browser whose language is not a valid tag', async () => {
    const browser = await launchBrowser({ LANG: 'C', LC_ALL: 'C' });
    try {
      const { page, problems } = await openVisit({ stack: app.stack, browser }, { as: world.owner });
      await page.goto('/sign-in');
      const language = await page.evaluate(() => navigator.language);
      expect(() => Intl.getCanonicalLocales(language), language).to.throw(RangeError);
      await page.goto(`/projects/${world.webshop.id}/insights`, { waitUntil: 'load' });
      expect(problems.all).to.deep.equal([]);
      expect(await page.locator('[data-chart] canvas').count()).to.equal(3);
    } finally {
      await browser.close();
    }
  });
});
