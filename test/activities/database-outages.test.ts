import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { ActivityCancellationDetails, type ApplicationFailure } from '@temporalio/common';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createAttemptWatch } from '#activities/attempt-watch.js';
import { createExecuteTestActivities, type ExecuteTestInput } from '#activities/execute-test.js';
import { recordLeftVerdicts } from '#activities/record-left-verdicts.js';
import { createVerdictSpool, type VerdictSpool } from '#activities/verdict-spool.js';
import { readAttemptStates, requestStop } from '#src/db/runs/attempt-states.js';
import { collectionsOf, type Collections } from '#src/db/schema/collections.js';
import { createRunStatusStore } from '#src/db/runs/run-status-store.js';
import type { KeptVerdict } from '#src/domain/runs/kept-verdict.js';
import type { AttemptVerdict, TestRun } from '#src/domain/runs/run.js';
import { aTestRun } from '#test/builders/run.js';
import { startCuttingProxy, type CuttingProxy } from '#test/support/mongodb/cutting-proxy.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { activityEnvironment } from './activity-environment.js';

const MINUTE = 60_000;
const SECRET = 'hunter22-of-the-outage';

/** A database connection that can be cut. */
interface Line {
  proxy: CuttingProxy;
  client: MongoClient;
  collections: Collections;
}

describe('executeTest during database outages', () => {
  let collections: Collections;
  let proxy: CuttingProxy;
  /** The connection of most workers. */
  let own: Line;
  /** The connection of lost workers: it stays cut when the other one is restored. */
  let lost: Line;
  let folder: string;
  let verdicts: VerdictSpool;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const database = await testDatabase();
    ({ collections } = database);
    own = await openLine(database.url);
    lost = await openLine(database.url);
    proxy = own.proxy;
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-verdicts-'));
    verdicts = createVerdictSpool(join(folder, 'verdicts'));
  });
  afterEach(async () => {
    mock.restoreAll();
    for (const line of [own, lost]) line.proxy.restore();
    await Promise.allSettled(lostWork.splice(0));
    await rm(folder, { recursive: true });
  });
  after(async () => {
    for (const line of [own, lost]) {
      await line?.client.close();
      await line?.proxy.close();
    }
  });

  /** Each call fails fast: a call that waits for its server through the whole outage would not exercise the retries. */
  async function openLine(url: string): Promise<Line> {
    const behind = new URL(url);
    const proxy = await startCuttingProxy(Number(behind.port));
    behind.port = String(proxy.port);
    const options = { ignoreUndefined: true, heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 200 };
    const client = await new MongoClient(behind.href, options).connect();
    return { proxy, client, collections: collectionsOf(client.db()) };
  }
  const lostWork: Promise<unknown>[] = [];
  /** Executes on a worker whose connection stays cut, so that records come from another worker. */
  function executeLost(run: TestRun, input?: Partial<Delivered>): Promise<unknown> {
    const work = aWorker(endingInAnOutage(lost), verdicts, lost).execute(run, input);
    lostWork.push(work);
    return work;
  }

  async function accepted(): Promise<TestRun> {
    const run = aTestRun();
    run.expiresAt = new Date(run.modified.getTime() + 90 * 24 * 60 * MINUTE);
    await collections.runs.insertOne(run);
    return run;
  }
  const recorded = async (run: TestRun) => (await collections.runs.findOne({ _id: run._id })) as TestRun;

  /** A worker process with its own disk. */
  function aWorker(
    answer: (signal: AbortSignal) => Promise<AttemptVerdict>,
    spool = verdicts,
    { collections: { runs: records } } = own,
  ) {
    let runs = 0;
    const { executeTest } = createExecuteTestActivities({
      statuses: createRunStatusStore(records),
      worker: 'worker-1',
      runnerOf: () => ({
        run(_definition, { signal }) {
          runs++;
          return answer(signal);
        },
      }),
      variablesOf: async () => ({ values: {}, secrets: [SECRET] }),
      openLog: () => ({ write: async () => {}, close: async () => {} }),
      openSteps: () => ({ write: async () => {}, close: async () => {} }),
      artifactsOf: () => ({ add: async () => true, notes: () => [] }),
      openWorkspace: async () => ({ folder: '/', close: async () => {} }),
      collectOutputs: async (_run, _delivery, _attempt, verdict) => verdict,
      isWorkflowClosed: async () => false,
      isPoolOpen: async () => true,
      verdicts: spool,
      watch: createAttemptWatch({ findRuns: (ids) => readAttemptStates(records, ids), everyMs: 20 }),
      heartbeatMs: 50,
    });
    return {
      runs: () => runs,
      execute(run: TestRun, { environment = activityEnvironment(), ...input }: Partial<Delivered> = {}) {
        const all = { runId: run._id, attempt: 1, lastAttempt: true, ...input };
        return environment.run(executeTest, all) as ReturnType<typeof executeTest>;
      },
    };
  }
  interface Delivered extends ExecuteTestInput {
    environment: ReturnType<typeof activityEnvironment>;
  }

  /** Cuts the connection as the test ends. */
  const endingInAnOutage =
    (line = own) =>
    async (): Promise<AttemptVerdict> => {
      line.proxy.cutAll();
      return { status: 'failed', exitCode: 3, errorMessage: `it said ${SECRET}` };
    };
  const isKept = (spool = verdicts) => eventually(async () => (await spool.all())[0]);
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it did not fail'),
      (error: unknown) => error as ApplicationFailure,
    );
  /** Advances all clocks of this process. */
  function letPass(minutes: number): void {
    const [date, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
    mock.method(Date, 'now', () => date() + minutes * MINUTE);
    mock.method(performance, 'now', () => monotonic() + minutes * MINUTE);
  }

  for (const minutes of [20, 100])
    it(`keeps its verdict during an outage of ${minutes} minutes, sends heartbeats, and does not run again`, async () => {
      const run = await accepted();
      const worker = aWorker(endingInAnOutage());
      const environment = activityEnvironment();
      let beats = 0;
      environment.on('heartbeat', () => beats++);
      const ended = worker.execute(run, { environment });
      await isKept();
      letPass(minutes);
      const before = beats;
      await eventually(() => beats > before + 20 || undefined);
      mock.restoreAll();
      proxy.restore();
      expect(await ended).to.deep.equal({ status: 'failed' });
      expect(worker.runs()).to.equal(1);
      const { status, attempts } = await recorded(run);
      expect({ status, message: attempts[0]!.verdict!.errorMessage }).to.deep.equal({
        status: 'failed',
        message: 'it said ***',
      });
      expect(await verdicts.all(), 'on the disk').to.deep.equal([]);
    });

  it('waits as long before it starts, and then runs once, as the first delivery', async () => {
    const run = await accepted();
    const worker = aWorker(async () => ({ status: 'passed' }));
    const environment = activityEnvironment();
    let beats = 0;
    environment.on('heartbeat', () => beats++);
    proxy.cutAll();
    const tries = mock.method(own.collections.runs, 'findOneAndUpdate');
    const ended = worker.execute(run, { environment });
    await eventually(() => tries.mock.callCount() > 0 || undefined);
    letPass(100);
    const before = beats;
    await eventually(() => beats > before + 20 || undefined);
    expect(tries.mock.callCount()).to.be.above(1);
    mock.restoreAll();
    proxy.restore();
    expect(await ended).to.deep.equal({ status: 'passed' });
    expect(worker.runs()).to.equal(1);
    expect((await recorded(run)).attempts[0]).to.include({ delivery: 1 });
  });

  it('stores the verdict on disk without secrets, for the worker that starts after a crash', async () => {
    const run = await accepted();
    void executeLost(run);
    await isKept();
    const [file, ...others] = await readdir(join(folder, 'verdicts'));
    expect(others).to.deep.equal([]);
    expect(await readFile(join(folder, 'verdicts', file!), 'utf8'))
      .to.include('it said ***')
      .and.not.include(SECRET);

    // Another process: it only has the disk.
    const log = { info: () => {}, warn: () => {} };
    const statuses = createRunStatusStore(collections.runs);
    await recordLeftVerdicts({ verdicts, statuses, log, retryMs: 20 }, new AbortController().signal);
    const { status, attempts } = await recorded(run);
    expect(status).to.equal('failed');
    expect(attempts[0]!.verdict!.notes!.join()).to.include('The last lines of the log');
    expect(await verdicts.all()).to.deep.equal([]);
  });

  it('does not run again when delivered again: uses the disk of this machine, or the heartbeat details', async () => {
    const elsewhere = createVerdictSpool(join(folder, 'of another machine'));
    for (const [where, spool] of [
      ['here', verdicts],
      ['on another machine', elsewhere],
    ] as const) {
      const run = await accepted();
      const environment = activityEnvironment();
      let said: unknown;
      environment.on('heartbeat', (details: unknown) => (said = details ?? said));
      void executeLost(run, { environment });
      await isKept();
      await eventually(() => said);
      expect(JSON.stringify(said), 'no text of a test goes through Temporal').to.not.include('it said');

      const next = aWorker(async () => ({ status: 'passed' }), spool);
      const again = activityEnvironment(2, { heartbeatDetails: where === 'here' ? undefined : said });
      const ended = next.execute(run, { environment: again });
      expect(await ended, where).to.deep.equal({ status: 'failed' });
      expect(next.runs(), where).to.equal(0);
      expect((await recorded(run)).attempts[0], where).to.include({ delivery: 1 });
      lost.proxy.restore();
      await Promise.allSettled(lostWork.splice(0));
      expect(await verdicts.all(), where).to.deep.equal([]);
    }
  });

  it('hands the attempt over with its verdict on shutdown, without using up a delivery', async () => {
    const run = await accepted();
    const environment = activityEnvironment();
    const shutDown = () =>
      environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
    const ended = failureOf(executeLost(run, { environment }));
    await isKept();
    shutDown();
    const failure = await ended;
    expect(failure).to.include({ type: 'WorkerShutdown' });
    const [, handedOn] = failure.details as [number, KeptVerdict];
    const next = aWorker(async () => ({ status: 'passed' }), createVerdictSpool(join(folder, 'empty')));
    expect(await next.execute(run, { ended: handedOn })).to.deep.equal({ status: 'failed' });
    expect(next.runs()).to.equal(0);
  });

  it('runs again if the verdict was left by a delivery before a later one that has started', async () => {
    const run = await accepted();
    const statuses = createRunStatusStore(collections.runs);
    await statuses.beginAttempt(run._id, { attempt: 1 }, 'lost');
    await statuses.beginAttempt(run._id, { attempt: 1 }, 'lost too');
    const kept: KeptVerdict = {
      runId: run._id,
      attempt: 1,
      delivery: 1,
      verdict: { status: 'failed' },
      again: false,
      until: Date.now() + MINUTE,
    };
    await verdicts.keep(kept);
    const worker = aWorker(async () => ({ status: 'passed' }));
    expect(await worker.execute(run)).to.deep.equal({ status: 'passed' });
    expect((await recorded(run)).attempts[0]).to.include({ delivery: 3 });
    await verdicts.keep({ ...kept, until: Date.now() - 1 });
    expect(await verdicts.all(), 'over its retention').to.deep.equal([]);
  });

  describe('reads from the record alone', () => {
    const untilStopped = (signal: AbortSignal) =>
      new Promise<AttemptVerdict>((resolve) =>
        signal.addEventListener('abort', () => resolve({ status: 'stopped' }), { once: true }),
      );
    const isRunning = (run: TestRun) => eventually(async () => (await recorded(run)).status === 'running' || undefined);

    it('that the run must stop', async () => {
      const run = await accepted();
      const ended = aWorker(untilStopped).execute(run);
      await isRunning(run);
      await requestStop(collections.runs, run._id);
      expect(await ended).to.deep.equal({ status: 'stopped' });
      expect((await recorded(run)).status).to.equal('stopped');
    });

    it('that the run is over, or that another worker has taken over', async () => {
      const statuses = createRunStatusStore(collections.runs);
      const over = await accepted();
      const ended = aWorker(untilStopped).execute(over);
      await isRunning(over);
      await statuses.endRun(over._id, { status: 'error', errorCode: 'INTERNAL' });
      expect(await ended).to.deep.equal({ status: 'error' });

      const taken = await accepted();
      const failure = failureOf(aWorker(untilStopped).execute(taken));
      await isRunning(taken);
      await statuses.beginAttempt(taken._id, { attempt: 1 }, 'another');
      expect(await failure).to.include({ type: 'Superseded' });
      expect((await recorded(taken)).status).to.equal('running');
    });
  });
});
