import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { addPerson } from '#test/support/people.js';
import { trigger, webhookUrl } from '#test/support/stack.js';
import { useApp } from './support/app.js';
import { axeFindings } from './support/axe.js';

describe('the web app during outages', function () {
  this.timeout(120_000);
  const app = useApp();

  app.it('the first user gets instructions, down to the call to paste', async () => {
    const { page } = await app.visit({ as: app.stack.admin });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('a[href="/projects/new"]').first().waitFor();
    await page.getByText('curl').first().waitFor();
  });

  app.it('without MongoDB, every page reports it in the app’s style, and recovers by itself', async () => {
    const { page, problems } = await app.visit({ as: app.stack.admin });
    problems.expect(/^answer: 503 /);
    const { mongodb } = app.stack.pids();
    process.kill(mongodb, 'SIGSTOP');
    try {
      const answer = await page.goto('/');
      expect(answer?.status()).to.equal(503);
      await page.getByRole('heading', { name: 'What to do' }).waitFor();
      // It retries every few seconds, possibly right now.
      const findings = await eventually(() => axeFindings(page), 20_000);
      expect(findings).to.deep.equal([]);
    } finally {
      process.kill(mongodb, 'SIGCONT');
    }
    await page.getByRole('heading', { name: 'What to do' }).waitFor({ state: 'detached', timeout: 40_000 });
    expect(new URL(page.url()).pathname).to.equal('/');
  });

  app.it('without Temporal, triggers are accepted, and pages show that runs wait for it', async () => {
    const project = await app.stack.importText('project: P\ntests:\n  - { name: T, command: ["true"] }\nsuites: []\n');
    const editor = await addPerson(app.stack.collections, { roles: { [project.projectId]: 'editor' } });
    const { page } = await app.visit({ as: editor });
    const { temporal } = app.stack.pids();
    process.kill(temporal, 'SIGSTOP');
    try {
      const { webapp_url: url } = await trigger(webhookUrl(app.stack, project, 'tests', 'T'));
      await page.goto(url);
      await page.getByText(/waiting for temporal/i).waitFor({ timeout: 60_000 });
      expect(await axeFindings(page)).to.deep.equal([]);
    } finally {
      process.kill(temporal, 'SIGCONT');
    }
    await page.locator('h1').getByText('passed').waitFor({ timeout: 60_000 });
  });
});
