import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { logToStderr } from '#tools/stack/log.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import { idOfDay } from '#src/domain/stats/project-day.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { dayOf } from '#src/domain/stats/target-stats.js';
import { projectFileText } from '#test/builders/project-file.js';
import { readEvents } from '#test/support/servers/event-stream.js';
import { eventually } from '#test/support/eventually.js';
import { clockAhead, findFaketime } from '#test/support/debian/faketime.js';
import { endedRun, page, startStack, trigger, type TestStack } from '#test/support/stack.js';

const TESTS = 20;
/** In ms: far less than the clocks differ, and more than a busy machine needs between two checks. */
const MARGIN_MS = 60_000;

/** Minutes that each process's clock is ahead, in each round. */
const ROUNDS = [
  { importer: 120, server: -5, worker: 5 },
  { importer: 5, server: 120, worker: -5 },
  { importer: -5, server: 5, worker: 120 },
];

/** MongoDB, Temporal and this test have the true clock. */
describe('clocks that disagree', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let library: string;

  before(async function () {
    try {
      library = await findFaketime(logToStderr);
    } catch (error) {
      if (!(error instanceof NotPossibleError) || process.env.CI) throw error;
      console.error(`  Tests of clocks are SKIPPED: ${error.message}`);
      this.skip();
    }
    stack = await startStack({ start: false });
  });
  after(() => stack?.stop());

  /** `runhook setup` with a project file whose tests differ from round to round, by the importer's clock. */
  async function importRound(round: number): Promise<string> {
    const release = join(stack.folder, `release-${round}`);
    const held = `{name: held, command: [sh, -c, "while [ ! -e ${release} ]; do sleep 0.1; done"]}`;
    const quick = Array.from(
      { length: TESTS - 1 },
      (_, index) => `{name: t${index}, command: ["true"], env: {ROUND: "${round}"}}`,
    );
    const names = ['held', ...quick.map((_, index) => `t${index}`)];
    const file = join(stack.folder, 'clocks.yaml');
    await writeFile(
      file,
      projectFileText([held, ...quick], [`{name: All, parallelism: 4, tests: [${names.join(', ')}]}`], 'Clocks'),
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [resolve(import.meta.dirname, '../../../dist/src/bin/runhook.js'), 'setup', '--project', file],
      {
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          ...stack.workerEnv,
          RUNHOOK_PUBLIC_URL: stack.baseUrl,
          ...clockAhead(library, ROUNDS[round]!.importer),
        },
      },
    );
    return /suite All: (\S+)/.exec(stdout)![1]!;
  }

  const testRunsOf = async (suiteRunId: string) =>
    (await stack.collections.runs.find({ suiteRunId }).sort({ position: 1 }).toArray()) as TestRun[];

  for (const [round, { importer, server, worker }] of ROUNDS.entries())
    it(`run all tests, and show true times: importer ${importer}, server ${server}, worker ${worker} minutes ahead`, async () => {
      await Promise.all([stack.server.kill('SIGTERM'), stack.worker.kill('SIGTERM')]);
      await Promise.all([
        stack.server.start(clockAhead(library, server)),
        stack.worker.start(clockAhead(library, worker)),
      ]);
      const url = await importRound(round);
      const triggeredAt = new Date();
      const { id, modified } = await trigger(url);
      const isTrue = (time: Date | undefined, what: string) =>
        expect(time?.getTime(), what).to.be.within(triggeredAt.getTime() - MARGIN_MS, Date.now() + MARGIN_MS);
      isTrue(new Date(modified), 'modified in the answer');

      const held = await eventually(async () => {
        const [first] = await testRunsOf(id);
        return first?.status === 'running' ? first : undefined;
      }, 30_000);
      await eventually(
        async () =>
          (await stack.collections.runs.countDocuments({ suiteRunId: id, status: 'passed' })) === TESTS - 1 ||
          undefined,
        60_000,
      );

      // Pages of open runs: elapsed times count from the true start.
      for (const runId of [id, held._id])
        await eventually(async () => {
          const shown = [
            ...(await page(stack, `${stack.baseUrl}/runs/${runId}`)).matchAll(/data-since="([^"]+)">([^<]+)</g),
          ];
          expect(shown, runId).not.to.have.length(0);
          for (const [, since, text] of shown) {
            isTrue(new Date(since!), 'data-since');
            expect(text, 'how long it has been running').to.match(/^\d+(\.\d+)? (ms|s)$|^1 min/);
          }
          // Not "0 ms", which a slow clock would show for as long as it is behind.
          return shown.every(([, , text]) => /[1-9]\d* s$|min/.test(text!)) || undefined;
        });
      const suitePage = await page(stack, `${stack.baseUrl}/runs/${id}`);
      const stream = await readEvents(
        stack.baseUrl + /hx-sse:connect="([^"]+)"/.exec(suitePage)![1]!.replaceAll('&amp;', '&'),
        stack.admin.sessionHeaders,
      );
      try {
        await eventually(() => stream.events[0]);
        await writeFile(join(stack.folder, `release-${round}`), '');
        const shown = `Tests by status: ${TESTS} passed`;
        await eventually(() => stream.events.some(({ data }) => data.includes(shown)) || undefined, 30_000);
      } finally {
        stream.close();
      }

      const suite = await endedRun(stack, id);
      expect(suite).to.include({ status: 'passed' });
      expect(suite.counts).to.include({ passed: TESTS });
      const tests = await testRunsOf(id);
      expect(tests).to.have.length(TESTS);
      for (const run of [suite, ...tests]) {
        for (const name of ['queuedAt', 'startedAt', 'endedAt', 'modified'] as const)
          isTrue(run[name], `${name} of ${run.targetName}`);
        expect(run.startedAt!.getTime() - run.queuedAt.getTime(), 'wait').to.be.at.least(-1000);
        expect(run.endedAt!.getTime() - run.startedAt!.getTime(), 'duration').to.be.at.least(0);
      }
      // Each round's import changed every test: this is the latest revision.
      expect(new Set(tests.map(({ targetRevision }) => targetRevision))).to.deep.equal(new Set([round + 1]));

      // The number of runs of all rounds so far, on the day by the true clock.
      const { projectId } = suite;
      const days = [dayOf(triggeredAt), dayOf(suite.endedAt!)].map((day) => idOfDay(projectId, day));
      await eventually(async () => {
        const found = await stack.collections.projectDays.find({ projectId }).toArray();
        expect(days).to.include.members(found.map(({ _id }) => _id).filter((day) => day >= days[0]!));
        return found.reduce((sum, day) => sum + day.suite.passed, 0) === round + 1 || undefined;
      });
      const insights = await page(stack, `${stack.baseUrl}/projects/${projectId}/insights`);
      expect(insights).to.include(dayOf(suite.endedAt!));
      const stats = await stack.collections.targetStats.findOne({ _id: suite.targetId });
      isTrue(stats?.lastEndedAt, 'last run');

      // Newest first, regardless of the servers' clocks.
      const list = await page(stack, `${stack.baseUrl}/projects/${projectId}/runs`);
      expect([...list.matchAll(/href="\/runs\/([0-9a-f-]{36})"/g)][0]![1]).to.equal(id);
    });
});
