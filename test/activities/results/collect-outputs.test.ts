import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutputCollector } from '#activities/results/collect-outputs.js';
import type { Attempt } from '#activities/runners/runner.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { TestCase } from '#src/domain/runs/test-case.js';
import { aTestDefinition, aTestRun } from '#test/builders/run.js';
import { activityEnvironment } from '#test/activities/activity-environment.js';

const GREEN = '<testsuite><testcase classname="Cart" name="adds"/></testsuite>';
const RED = `<testsuite>${['a', 'b', 'c', 'd'].map((name) => `<testcase classname="Cart" name="${name}"><failure/></testcase>`).join('')}<testcase name="e"/></testsuite>`;

describe('createOutputCollector', () => {
  let folder = '';
  let kept: TestCase[];
  /** Called before a batch is saved. */
  let onInsert: () => void;
  const abort = { controller: new AbortController() };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-outputs-'));
    kept = [];
    onInsert = () => {};
    abort.controller = new AbortController();
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = aTestRun({ definition: aTestDefinition({ results: { junit: '*.xml' } }) });
  const collector = createOutputCollector({
    cases: {
      async insert(cases) {
        onInsert();
        const existing = new Set(kept.map(({ _id }) => _id));
        kept.push(...cases.filter(({ _id }) => !existing.has(_id)));
      },
    },
  });
  const attempt = () =>
    ({ folder, mask: (text: string) => text.replaceAll('s3cret', '***'), signal: abort.controller.signal }) as Attempt;

  async function collect(verdict: AttemptVerdict, xml?: string, of = run): Promise<AttemptVerdict> {
    if (xml !== undefined) await writeFile(join(folder, 'a.xml'), xml);
    return (await activityEnvironment().run(() =>
      collector(of, { attempt: 2, delivery: 3 }, attempt(), verdict, 0),
    )) as AttemptVerdict;
  }

  it('leaves a verdict unchanged if existing is nothing to collect', async () => {
    const passed: AttemptVerdict = { status: 'passed', exitCode: 0 };
    expect(await collect(passed, RED, aTestRun())).to.equal(passed);
    const stopped: AttemptVerdict = { status: 'stopped' };
    expect(await collect(stopped, RED)).to.equal(stopped);
    expect(kept).to.deep.equal([]);
  });

  it('saves and counts cases', async () => {
    const verdict = await collect({ status: 'passed', exitCode: 0 }, GREEN);
    const cases = { passed: 1, failed: 0, error: 0, skipped: 0 };
    expect(verdict).to.deep.equal({ status: 'passed', exitCode: 0, cases });
    const place = { runId: run._id, attempt: 2, delivery: 3, number: 1 };
    expect(kept).to.deep.equal([{ _id: `${run._id}:2:3:1`, ...place, group: 'Cart', name: 'adds', status: 'passed' }]);
  });

  it('fails a command that exited with 0 but has failed cases', async () => {
    expect(await collect({ status: 'passed', exitCode: 0 }, RED)).to.deep.equal({
      status: 'failed',
      exitCode: 0,
      errorMessage: 'The command exited with code 0, but 4 of 5 cases failed: Cart › a, Cart › b, Cart › c and 1 more.',
      cases: { passed: 1, failed: 4, error: 0, skipped: 0 },
    });
  });

  it('names the failed cases of a command that failed', async () => {
    const { status, errorMessage } = await collect({ status: 'failed', exitCode: 1 }, RED);
    expect([status, errorMessage]).to.deep.equal([
      'failed',
      '4 of 5 cases failed: Cart › a, Cart › b, Cart › c and 1 more.',
    ]);
  });

  it('adds the cases to an error without changing it', async () => {
    const error: AttemptVerdict = { status: 'error', errorCode: 'TEST_TIMEOUT', errorMessage: 'Too slow.' };
    const { cases, ...verdict } = await collect(error, RED);
    expect(verdict).to.deep.equal(error);
    expect(cases).to.deep.include({ failed: 4 });
  });

  it('notes missing results without changing the verdict', async () => {
    for (const status of ['passed', 'failed'] as const) {
      const { notes, ...verdict } = await collect({ status, exitCode: 0 });
      expect(verdict).to.deep.equal({ status, exitCode: 0 });
      expect(notes?.[0]).to.match(/^No results: no file in the working folder matches \*\.xml/);
    }
  });

  it('saves thousands of cases in batches, and retries failed writes', async () => {
    let calls = 0;
    onInsert = () => {
      if (++calls === 2) throw new Error('away');
    };
    const xml = `<testsuite>${'<testcase name="s3cret"/>'.repeat(1200)}</testsuite>`;
    expect((await collect({ status: 'passed' }, xml)).cases?.passed).to.equal(1200);
    expect(kept.map(({ number }) => number)).to.deep.equal(Array.from({ length: 1200 }, (_, index) => index + 1));
    expect(calls).to.equal(4);
    expect(kept[0]!.name).to.equal('***');
  });

  it('stops with the attempt: incomplete results are no verdict', async () => {
    onInsert = () => {
      abort.controller.abort();
      throw new Error('away');
    };
    expect(await collect({ status: 'passed' }, RED)).to.deep.equal({ status: 'stopped' });
    expect(await collect({ status: 'passed' }, RED)).to.deep.equal({ status: 'stopped' });
  });
});
