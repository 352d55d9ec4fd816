import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { RunAnswer } from '#src/domain/runs/run.js';
import { addPerson } from '#test/support/people.js';
import { openWebhookTab } from './pages.js';
import { useApp } from './support/app.js';

const PASSWORD = 'correct horse battery staple';
const MAY_COPY = { permissions: ['clipboard-read', 'clipboard-write'] };

describe('the webhook URL in the web app', function () {
  this.timeout(60_000);
  const app = useApp();
  let project: {
    projectId: string;
    webhookToken: string;
    tests: Record<string, string>;
    suites: Record<string, string>;
  };
  let email: string;

  before(async () => {
    project = await app.stack.importText(`
project: Shop
tests:
  - { name: Checkout, command: [sh, -c, 'echo one; sleep 2; echo two'] }
suites:
  - { name: Smoke, tests: [Checkout] }
`);
    ({ email } = await addPerson(app.stack.collections, {
      name: 'Edgar',
      password: PASSWORD,
      roles: { [project.projectId]: 'editor' },
    }));
  });

  async function signIn(page: Page): Promise<void> {
    await page.goto('/');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('/');
  }

  /** Content of the clipboard after its button was clicked. */
  async function copied(page: Page, from: ReturnType<Page['locator']>): Promise<string> {
    const button = from.getByRole('button', { name: 'Copy URL' }).first();
    await button.click();
    await from.getByRole('button', { name: 'Copied' }).first().waitFor();
    return await page.evaluate(() => navigator.clipboard.readText());
  }

  /** Posts exactly that from another client. */
  async function post(url: string): Promise<RunAnswer> {
    const answer = await fetch(url, { method: 'POST' });
    expect(answer.status).to.equal(200);
    return (await answer.json()) as RunAnswer;
  }

  /** Watches a run to its end without reloading its page. */
  async function watchPassing(page: Page, { webapp_url: url }: RunAnswer): Promise<void> {
    await page.goto(url);
    await page.evaluate(() => ((globalThis as { isSamePage?: boolean }).isSamePage = true));
    await page.getByText('two', { exact: true }).first().waitFor();
    await page.locator('h1, .title-row').getByText('passed').first().waitFor();
    expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).to.equal(true);
  }

  app.it('is in the “…” menu of a test: copied and posted, and its run is seen to pass', async () => {
    const { page } = await app.visit(MAY_COPY);
    await signIn(page);
    await page.getByRole('link', { name: 'Shop' }).first().click();
    await page.waitForURL(`/projects/${project.projectId}/tests`);
    await openWebhookTab(page);
    const url = await copied(page, page.getByRole('dialog'));
    expect(url).to.equal(`${app.stack.baseUrl}/webhooks/${project.webhookToken}/tests/run/${project.tests.Checkout}`);
    await watchPassing(page, await post(url));
  });

  app.it('is in that of a suite', async () => {
    const { page } = await app.visit(MAY_COPY);
    await signIn(page);
    await page.goto(`/projects/${project.projectId}/suites`);
    await openWebhookTab(page, 'Smoke');
    const url = await copied(page, page.getByRole('dialog'));
    expect(url).to.equal(`${app.stack.baseUrl}/webhooks/${project.webhookToken}/suites/run/${project.suites.Smoke}`);
    const { webapp_url: runUrl } = await post(url);
    await page.goto(runUrl);
    await page.locator('h1, .title-row').getByText('passed').first().waitFor();
  });

  app.it('is under Integrations, with the token masked until it is shown, as a template', async () => {
    const { page } = await app.visit(MAY_COPY);
    await signIn(page);
    await page.goto(`/projects/${project.projectId}/tests`);
    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByText('<TEST_ID>').first().waitFor();
    expect(await page.locator('main').innerText()).not.to.contain(project.webhookToken);
    await page.locator('[data-reveal]').first().click();
    expect(await page.locator('main').innerText()).to.contain(project.webhookToken);

    const url = await copied(page, page.locator('main'));
    expect(url).to.equal(`${app.stack.baseUrl}/webhooks/${project.webhookToken}/tests/run/<TEST_ID>`);
    const { id, ...answer } = await post(url.replace('<TEST_ID>', project.tests.Checkout!));
    await watchPassing(page, { id, ...answer });
    await page.goto(`/projects/${project.projectId}/integrations/webhooks`);
    await page.locator(`a[href="/runs/${id}"]`).waitFor();
  });

  app.it('can be tried immediately, and shows the real response', async () => {
    const { page } = await app.visit();
    await signIn(page);
    await page.goto(`/projects/${project.projectId}/tests`);
    await openWebhookTab(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText('"webapp_url"').first().waitFor();
    expect(await app.stack.collections.runs.countDocuments({ targetId: project.tests.Checkout })).to.be.greaterThan(0);
  });
});
