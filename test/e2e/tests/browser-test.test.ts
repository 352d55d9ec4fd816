import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { chromium, type Browser } from 'playwright-core';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { startShop, type Shop, type ShopFaults } from '#test/fixtures/shop/server.js';
import { chromiumProgram } from '#test/support/chromium/chromium-program.js';
import { endedRun, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const PROJECT = (shop: string) => `
project: Shop
tests:
  - name: Order
    runner: browser
    baseUrl: ${shop}
    stepTimeout: 3s
    env: { EMAIL: ann@example.com }
    steps:
      - goto: /list
      - expect: { role: heading, name: All goods }
      - expect: { testId: price-tea-pot, text: 24.00 EUR }
      - click: { role: button, name: Add Tea pot }
      - expect: { testId: cart-count, text: '1' }
      - click: { role: link, name: Go to the cart }
      - fill: { label: Email, value: '{{EMAIL}}' }
      - select: { label: Country, option: Sweden }
      - check: { label: I agree }
      - click: { role: button, name: Pay }
      - click: { role: button, name: 'Yes, order', within: { role: dialog, name: Confirm } }
      - expect: { role: heading, name: Thank you for your order }
      - setVariable: { name: ORDER, from: { testId: order-id } }
      - download: { click: { role: link, name: Invoice }, contains: '{{ORDER}}' }
      - expect: { url: /cart }
`;

/** A step in the API's response. */
interface Step {
  number: number;
  title: string;
  status: string;
  message: string | null;
  details: string[];
  screenshot: string | null;
}

/** If set, receives screenshots of the run pages. */
const PICTURES = process.env.RUNHOOK_PICTURES;

describe('a browser test in the whole system', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let shop: Shop;
  let project: ImportedProject;
  let browser: Browser;

  before(async function () {
    this.timeout(300_000);
    const program = await chromiumProgram().catch((error: unknown) => {
      if (!(error instanceof NotPossibleError) || process.env.CI) throw error;
      console.log(`    skipped: ${error.message}`);
      return this.skip();
    });
    shop = await startShop();
    stack = await startStack({ workerEnv: { RUNHOOK_CHROMIUM: program } });
    project = await stack.importText(PROJECT(shop.url));
    browser = await chromium.launch({ executablePath: program, chromiumSandbox: process.getuid?.() !== 0 });
  });
  after(async () => {
    await browser?.close();
    await stack?.stop();
    await shop?.close();
  });

  async function run(faults: ShopFaults) {
    shop.faults = faults;
    const { id } = await trigger(webhookUrl(stack, project, 'tests', 'Order'));
    const ended = await endedRun(stack, id, 60_000);
    const get = async (path: string) => {
      const response = await fetch(`${stack.baseUrl}/api/v2/testruns/${id}/${path}/`, {
        headers: stack.admin.sessionHeaders,
      });
      expect(response.status, path).to.equal(200);
      return (await response.json()) as { results: unknown[] };
    };
    const steps = (await get('steps')).results as Step[];
    const files = (await get('artifacts')).results as { name: string }[];
    return {
      id,
      ended,
      steps,
      files: files.map(({ name }) => name),
      page: await pageOf(id, Object.keys(faults)[0] ?? 'passed'),
    };
  }

  /** The visible text of the run's page. */
  async function pageOf(id: string, name: string): Promise<string> {
    const context = await browser.newContext({
      extraHTTPHeaders: { cookie: stack.admin.sessionHeaders.cookie! },
      viewport: { width: 1280, height: 1400 },
    });
    const page = await context.newPage();
    await page.goto(`${stack.baseUrl}/runs/${id}`);
    const text = await page.locator('main').innerText();
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true });
      writeFileSync(join(PICTURES, `${name}.png`), await page.screenshot({ fullPage: true }));
    }
    await context.close();
    return text;
  }

  it('passes in 15 steps: a list, a form, a dialog, a download', async () => {
    const { ended, steps, files } = await run({});
    expect(ended.errorMessage).to.equal(undefined);
    expect(ended.status).to.equal('passed');
    expect(steps.map(({ number, status }) => `${number} ${status}`)).to.deep.equal(
      Array.from({ length: 15 }, (_, index) => `${index + 1} passed`),
    );
    expect(steps[6]!.title).to.equal('fill the field “Email” with “{{EMAIL}}”');
    expect(files).to.deep.equal(['downloads/invoice-A-1042.txt']);
  });

  it('reports the step and similar elements when a button has another name', async () => {
    const { ended, steps, files, page } = await run({ renamedButton: true });
    expect(ended.status).to.equal('failed');
    expect(ended.errorMessage).to.equal(
      `Step 10 of 15, click the button “Pay”: no button on the page matches. Available: “Buy now”.\nThe page was at ${shop.url}/cart (“Cart”).`,
    );
    expect(steps.map(({ status }) => status)).to.deep.equal([
      ...Array<string>(9).fill('passed'),
      'failed',
      ...Array<string>(5).fill('skipped'),
    ]);
    expect(steps[9]!.screenshot).to.equal('screenshots/10.png');
    expect(files).to.include.members(['screenshots/10.png', 'trace.zip']);
    expect(page).to.include('no button on the page matches. Available: “Buy now”.');
  });

  it('reports the actual value when the list has a wrong price', async () => {
    const { ended, page } = await run({ wrongPrice: true });
    expect(ended.status).to.equal('failed');
    expect(ended.errorMessage).to.include(
      'Step 3 of 15, expect that the element with the test ID “price-tea-pot” has the text “24.00 EUR”: the text is “2.40 EUR”.',
    );
    expect(page).to.include('the text is “2.40 EUR”.');
  });

  it('reports the request that returned 500', async () => {
    const { ended, steps, page } = await run({ orderFails: true });
    expect(ended.status).to.equal('failed');
    expect(ended.errorMessage).to.include(
      'Step 12 of 15, expect that the heading “Thank you for your order” is visible: no heading on the page matches',
    );
    expect(ended.errorMessage).to.include(`During the previous step, POST ${shop.url}/orders returned 500.`);
    const said = steps.flatMap(({ details }) => details);
    expect(said).to.include(`POST ${shop.url}/orders returned 500`);
    expect(said).to.include('Console: The order was not taken: 500');
    expect(page).to.include('/orders returned 500');
  });

  it('reports the banner that covers the button', async () => {
    const { ended, page } = await run({ banner: true });
    expect(ended.status).to.equal('failed');
    // Checkboxes and select boxes must not be covered either.
    expect(ended.errorMessage).to.match(
      /Step (8|9|10) of 15, .*: the element is covered by <div id="banner"> “We value your privacy/,
    );
    expect(page).to.include('the element is covered by');
  });
});
