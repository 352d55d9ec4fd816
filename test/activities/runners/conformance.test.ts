import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createExecuteTestActivities } from '#activities/execute-test.js';
import { runAttempt } from '#activities/run-attempt.js';
import { randomId } from '#src/domain/ids.js';
import { aTestRun } from '#test/builders/run.js';
import { openParts, type AnyTest } from '#test/fixtures/conformance/parts.js';
import {
  PRINTED,
  SECRET,
  startServices,
  type Conformance,
  type Services,
} from '#test/fixtures/conformance/services.js';
import { chromiumProgram } from '#test/support/chromium/chromium-program.js';
import { descendantsOf, livingOf } from '#test/support/processes/descendants.js';
import { eventually } from '#test/support/eventually.js';
import { activityEnvironment } from '#test/activities/activity-environment.js';

const STOP_MS = 6000;
/** The loader of these tests, and a link that Chromium creates in short paths without reporting it. */
const NOT_OURS = /^(tsx-|\.?org\.chromium\.)/;
const WORKER = fileURLToPath(new URL('../../fixtures/conformance/worker.ts', import.meta.url));

describe('the runner example', () => {
  it('is short, and the same in CONTRIBUTING as the tested one', () => {
    const [contributing, example] = ['CONTRIBUTING.md', 'test/fixtures/example-runner.ts'].map((file) =>
      readFileSync(file, 'utf8'),
    );
    expect(contributing).to.include(`\`\`\`ts\n${example}\`\`\`\n`);
    expect(example!.split('\n')).to.have.length.below(61);
  });
});

/** Checks the contract (activities/runners/runner.ts) for every runner type. */
describe('conformance', () => {
  for (const name of ['command', 'browser', 'http', 'tcp (the example of CONTRIBUTING)'])
    describe(name, () => conformsTo(name));
});

function conformsTo(name: string): void {
  const workerId = randomId();
  const temporary = process.env.TMPDIR;
  let folder: string;
  let services: Services;
  let tests: Conformance;
  let parts: Awaited<ReturnType<typeof openParts>>;
  let strangers: number[];

  before(async function () {
    this.timeout(300_000);
    if (name === 'browser') process.env.RUNHOOK_CHROMIUM = await chromiumProgram();
    folder = mkdtempSync(join(tmpdir(), 'runhook-conformance-'));
    mkdirSync((process.env.TMPDIR = join(folder, 'tmp')));
    services = await startServices();
    tests = services.tests[name]!;
    strangers = descendantsOf(process.pid);
    parts = await openParts({ workerId, workFolder: join(folder, 'work') });
  });
  after(async () => {
    await services.close();
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    parts.lines.length = 0;
    parts.steps.length = 0;
  });
  afterEach('nothing of an attempt is left, passed, failed or stopped', async () => {
    await eventually(() => services.hanging().open === 0 || undefined);
    expect(attemptFolders()).to.deep.equal([]);
    expect(controlGroups(), 'control groups').to.deep.equal([]);
  });

  const asRun = (definition: AnyTest) => aTestRun({ definition: definition as never });
  const variables = { values: { SECRET }, secrets: [SECRET] };
  const run = (definition: AnyTest, signal = new AbortController().signal) =>
    runAttempt(
      { ...parts.deps, variablesOf: async () => variables },
      asRun(definition),
      { attempt: 1, delivery: 1 },
      signal,
    );
  const isHanging = (had: number, withinMs = 20_000) =>
    eventually(() => services.hanging().had > had || undefined, withinMs);
  const attemptFolders = () =>
    readdirSync(join(folder, 'work/workers'), { recursive: true }).filter((path) => String(path).includes('attempt-'));
  const controlGroups = (id = workerId) =>
    parts.groupFolders.flatMap((parent) => readdirSync(parent).filter((group) => group.includes(id)));

  it("resolves for the test's own result: passed or failed", async () => {
    expect(await run(tests.passes)).to.include({ status: 'passed' });
    expect(await run(tests.fails)).to.include({ status: 'failed' });
  });

  it('stops within 6 s, and starts nothing if it is already stopped', async () => {
    const { had } = services.hanging();
    const stop = new AbortController();
    const verdict = run(tests.hangs, stop.signal);
    await isHanging(had);
    const stoppedAt = performance.now();
    stop.abort();
    expect(await verdict).to.include({ status: 'stopped' });
    expect(performance.now() - stoppedAt).to.be.below(STOP_MS);

    const { had: before } = services.hanging();
    expect(await run(tests.hangs, AbortSignal.abort())).to.include({ status: 'stopped' });
    expect(services.hanging().had).to.equal(before);
  });

  it('ends at its timeout, and reports it', async () => {
    const verdict = await run({ ...tests.hangs, timeoutMs: 1500 });
    expect(verdict).to.include({ status: 'error', errorCode: 'TEST_TIMEOUT' });
    expect(verdict.errorMessage).to.match(/after 1.5 s/);
  });

  it('keeps sending heartbeats, and can be canceled by Temporal', async () => {
    const testRun = asRun(tests.hangs);
    const environment = activityEnvironment();
    let beats = 0;
    environment.on('heartbeat', () => beats++);
    const { executeTest } = createExecuteTestActivities({
      ...parts.deps,
      variablesOf: async () => variables,
      statuses: {
        beginAttempt: async () => ({ done: true, run: testRun, delivery: { attempt: 1, delivery: 1 } }),
        endAttempt: async () => ({ done: true, run: testRun }),
      },
      isPoolOpen: async () => true,
      isWorkflowClosed: async () => false,
      verdicts: {
        keep: async () => {},
        find: async () => undefined,
        remove: async () => {},
        all: async () => [],
      },
      watch: { add: () => () => {} },
      heartbeatMs: 500,
    });
    const input = { runId: testRun._id, attempt: 1, lastAttempt: true };
    const ended = environment.run(executeTest, input).then(
      () => 'completed',
      () => 'cancelled',
    );
    await eventually(() => beats >= 2 || undefined);
    environment.cancel();
    expect(await ended).to.equal('cancelled');
  });

  it('keeps all output in order', async () => {
    expect(await run(tests.prints)).to.include({ status: 'passed' });
    const text = parts.lines
      .sort((a, b) => a.seq - b.seq)
      .map((line) => line.text)
      .join('\n');
    expect([...new Set(text.match(/item-\d+/g))]).to.deep.equal(PRINTED);
  });

  it('shows no secrets in the log, steps or verdict', async () => {
    const verdicts = [await run(tests.prints), await run(tests.fails)];
    const shown = JSON.stringify({ verdicts, lines: parts.lines, steps: parts.steps });
    expect(shown).to.include('***').and.not.include(SECRET);
  });

  it('rejects on infrastructure failures, for another delivery', async () => {
    const broken = { write: () => Promise.reject(new Error('the log is broken')), close: async () => {} };
    const deps = { ...parts.deps, openLog: () => broken, openSteps: () => broken, variablesOf: async () => variables };
    const delivery = { attempt: 1, delivery: 1 };
    const failure = await runAttempt(deps, asRun(tests.prints), delivery, new AbortController().signal).catch(String);
    expect(failure).to.match(/the log is broken/);
  });

  it('leaves nothing when its worker is killed, once the next one has started', async function () {
    this.timeout(180_000);
    const surroundings = {
      TMPDIR: join(folder, 'crash'),
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      RUNHOOK_CHROMIUM: process.env.RUNHOOK_CHROMIUM,
    };
    mkdirSync(surroundings.TMPDIR);
    const crashed = randomId();
    const startWorker = (id: string, definition: AnyTest) => {
      const args = ['--import', 'tsx', WORKER, id, join(folder, 'crash-work'), JSON.stringify(definition)];
      return spawn(process.execPath, args, { env: surroundings, stdio: ['ignore', 'pipe', 'inherit'] });
    };

    const { had } = services.hanging();
    const killed = startWorker(crashed, tests.hangs);
    await isHanging(had, 90_000);
    const started = descendantsOf(killed.pid!);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await eventually(() => livingOf(started).length === 0 || undefined, 15_000);
    expect(controlGroups(crashed), 'control groups').to.deep.equal([]);

    const next = startWorker(randomId(), tests.passes);
    const output = await next.stdout.setEncoding('utf8').toArray();
    expect(output.join('')).to.equal('verdict passed\n');
    expect(readdirSync(surroundings.TMPDIR).filter((entry) => !NOT_OURS.test(entry))).to.deep.equal([]);
    expect(readdirSync(join(folder, 'crash-work/workers'))).to.deep.equal([]);
  });

  it('releases shared resources when the worker shuts down', async () => {
    await parts.close();
    expect(descendantsOf(process.pid).filter((pid) => !strangers.includes(pid))).to.deep.equal([]);
    expect(readdirSync(process.env.TMPDIR!)).to.deep.equal([]);
    expect(readdirSync(join(folder, 'work/workers'))).to.deep.equal([]);
  });
}
