import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '#test/support/eventually.js';
import { addPerson, type TestPerson } from '#test/support/people.js';
import { endedRun, runWithStatus, trigger, webhookUrl } from '#test/support/stack.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { useApp } from './support/app.js';

const TESTS = 500;
const PARALLELISM = 8;
/** Streams that the restart of a server interrupts, and failed reconnections. */
const AWAY =
  /ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)|Failed to fetch|network error|^answer: 50[23] |reconnect failed with status 50[23]/;

describe('a suite of 500, watched live', function () {
  this.timeout(240_000);
  const app = useApp({ workerEnv: { RUNHOOK_SLOTS: String(PARALLELISM) } });
  let project: ImportedProject;
  let editor: TestPerson;

  before(async () => {
    const quick = Array.from({ length: TESTS - 1 }, (_, index) => `Quick ${String(index + 1).padStart(3, '0')}`);
    const talks = 'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.5; done';
    project = await app.stack.importText(`
project: Large
tests:
  - { name: Talks, command: [sh, -c, '${talks}'], timeout: 10m }
${quick.map((name) => `  - { name: ${name}, command: [sleep, '0.2'] }`).join('\n')}
suites:
  - { name: All, tests: [Talks, ${quick.join(', ')}], parallelism: ${PARALLELISM} }
`);
    editor = await addPerson(app.stack.collections, { roles: { [project.projectId]: 'editor' } });
  });

  /** A mark that a page loses when it is reloaded. */
  const mark = (page: Page) => page.evaluate(() => void ((globalThis as { isSamePage?: boolean }).isSamePage = true));
  const isMarked = (page: Page) => page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage === true);

  /** Number of ended tests, as shown on the page. */
  async function over(page: Page): Promise<number> {
    const text = await page.locator('#suite-progress').innerText();
    return Number(/([\d,]+) of 500 tests over/.exec(text)?.[1]?.replace(',', '') ?? 0);
  }
  const moreThan = (page: Page, number: number) =>
    eventually(async () => {
      const now = await over(page);
      return now > number ? now : undefined;
    }, 60_000);

  app.it('shows its progress and the log of a test, continues after a restart of the server, and stops', async () => {
    const { page, context, problems } = await app.visit({ as: editor });
    const { id, webapp_url: url } = await trigger(webhookUrl(app.stack, project, 'suites', 'All'));
    await page.goto(url);
    await mark(page);
    await moreThan(page, 0);

    // Its first test, in a separate tab.
    const talks = await eventually(() =>
      app.stack.collections.runs.findOne({ suiteRunId: id, position: 0 }).then((run) => run ?? undefined),
    );
    await runWithStatus(app.stack, talks._id, 'running');
    const log = await context.newPage();
    await log.goto(`/runs/${talks._id}`);
    await mark(log);
    const line = (number: number) => log.getByText(`line ${number}`, { exact: true }).waitFor({ timeout: 30_000 });
    await line(2);
    const written = await app.stack.collections.runLogs.countDocuments({ runId: talks._id });
    await line(written + 3);

    // A change is on the page within 1.5 s, plus an allowance for a busy machine.
    problems.expect(AWAY);
    const before = await over(page);
    await app.stack.server.kill('SIGTERM');
    await eventually(async () => ((await doneOf(id)) > before + 5 ? true : undefined), 60_000);
    const whileDown = await doneOf(id);
    await app.stack.server.start();
    await moreThan(page, whileDown - 1);
    await line((await app.stack.collections.runLogs.countDocuments({ runId: talks._id })) + 2);

    await page.getByRole('link', { name: /^Stop/ }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: /stop/i }).click();
    expect((await endedRun(app.stack, id, 60_000)).status).to.equal('stopped');
    await page.locator('h1, .title-row').getByText('stopped').first().waitFor({ timeout: 20_000 });
    await log.locator('h1, .title-row').getByText('stopped').first().waitFor({ timeout: 20_000 });
    expect(await isMarked(log)).to.equal(true);
    const { counts } = (await endedRun(app.stack, id)) as { counts?: Record<string, number> };
    await page.locator('#suite-progress').getByText(String(counts!.skipped)).first().waitFor();
  });

  const doneOf = (id: string) =>
    app.stack.collections.runs.countDocuments({ suiteRunId: id, status: { $in: ['passed', 'failed', 'error'] } });

  app.it('a change is on the page within 1.5 s', async () => {
    const { page } = await app.visit({ as: editor });
    const { id } = await trigger(webhookUrl(app.stack, project, 'tests', 'Talks'));
    await page.goto(`/projects/${project.projectId}/runs`);
    await page.locator(`#run-${id}`).getByText('running').first().waitFor({ timeout: 20_000 });
    // From the write to the database until it is on the page, without the trigger.
    await page.evaluate((row) => {
      const seen = globalThis as { seenAt?: number };
      new MutationObserver(() => {
        if (document.getElementById(row)?.textContent.includes('stopped')) seen.seenAt ??= Date.now();
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    }, `run-${id}`);
    await app.stack.temporal.workflow.getHandle(id).cancel();
    const { modified } = await endedRun(app.stack, id, 30_000);
    const seenAt = await eventually(() => page.evaluate(() => (globalThis as { seenAt?: number }).seenAt), 10_000);
    expect(seenAt - modified.getTime()).to.be.below(1500);
  });
});
