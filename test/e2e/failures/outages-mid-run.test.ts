import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { statusCounts } from '#src/domain/runs/run-status.js';
import type { TestRun } from '#src/domain/runs/run.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { startLink, type Link } from '#test/chaos/system/link.js';
import { eventually } from '#test/support/eventually.js';
import { nodeProcess, type NodeProcess } from '#test/support/processes/node-process.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const SECOND = 1000;
/** How long Temporal may be unavailable, in ms; the heartbeat timeout of an attempt is 1.5 times as long. */
const HEARTBEAT_TIMEOUT_MS = 20 * SECOND;
/** The same for runs whose workers are killed: their attempts are delivered again only after it. */
const SHORT_TIMEOUT_SECONDS = 8;
const POOLS = ['default', 'linked'] as const;
type Pool = (typeof POOLS)[number];

describe('outages while tests run', () => {
  let stack: TestStack;
  let project: ImportedProject;
  /** Proxy between the second worker and Temporal. */
  let link: Link;
  /** Serves the pool "linked" and runs no workflows. */
  let second: NodeProcess;

  before(async function () {
    this.timeout(120_000);
    const workerEnv = { RUNHOOK_SLOTS: '16', RUNHOOK_HEARTBEAT_SECONDS: '1' };
    stack = await startStack({ workerEnv });
    link = await startLink('second worker→Temporal', Number(new URL(`http://${stack.temporalAddress}`).port));
    second = nodeProcess('worker.js', '"worker ready"', {
      ...stack.workerEnv,
      TEMPORAL_ADDRESS: `127.0.0.1:${link.port}`,
      RUNHOOK_POOLS: 'linked',
      RUNHOOK_WORKFLOWS: 'false',
      RUNHOOK_WORK_FOLDER: `${stack.folder}/second`,
    });
    await second.start();
    // Each start of a test appends a line to a file; the test ends when another file exists.
    const begin = `echo $RUNHOOK_RUN_ID >> ${stack.folder}/starts`;
    const until = (gate: string) => `until [ -e ${stack.folder}/${gate} ]; do sleep 0.1; done`;
    const test = (name: string, pool: Pool, script: string, more = '') =>
      `  - { name: ${name} on ${pool}, pool: ${pool}, command: [sh, -c, '${script}'], timeout: 10m${more} }\n`;
    const testsOn = (pool: Pool) =>
      [
        test('Quick', pool, begin),
        test('Across', pool, `${begin}; ${until('after')}`),
        test('Long', pool, `${begin}; sleep 300 & sleep 300`),
        test('Red in Temporal', pool, `${begin}; ${until('temporal-away')}; exit 3`),
        // Its verdict has an error message, which no heartbeat carries.
        test('Red in MongoDB', pool, `${begin}; ${until('mongodb-away')}; kill -9 $$`),
        ...['Temporal', 'MongoDB'].map((outage) =>
          // Fails in the first attempt, passes in the second.
          test(
            `Flaky in ${outage}`,
            pool,
            `${begin}; ${until(`${outage.toLowerCase()}-away`)}; exit $((2 - RUNHOOK_ATTEMPT))`,
            ', retries: 1',
          ),
        ),
      ].join('');
    project = await stack.importText(`
project: Outages while tests run
tests:
${POOLS.map(testsOn).join('')}
suites:
  - { name: One after the other, tests: [Red in Temporal on default, Quick on linked], parallelism: 1 }
`);
  });
  after(async () => {
    link?.heal();
    await second?.kill('SIGTERM');
    await stack?.stop();
    await link?.close();
  });

  const accept = async (name: string) => (await trigger(webhookUrl(stack, project, 'tests', name))).id;
  const onBoth = async (name: string) =>
    Object.fromEntries(
      await Promise.all(POOLS.map(async (pool) => [pool, await accept(`${name} on ${pool}`)])),
    ) as Record<Pool, string>;
  const open = (gate: string) => writeFile(`${stack.folder}/${gate}`, '');
  const starts = async (id: string) => {
    const text = await readFile(`${stack.folder}/starts`, 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line === id).length;
  };
  const started = (ids: string[], times = 1) =>
    eventually(async () => (await Promise.all(ids.map(starts))).every((count) => count === times) || undefined, 30_000);
  const stop = (id: string) =>
    fetch(`${stack.baseUrl}/api/v2/testruns/${id}/stop/`, { method: 'POST', headers: stack.admin.tokenHeaders });
  const leftOf = (id: string) => processesWith(`RUNHOOK_RUN_ID=${id}`);
  const ended = async (id: string) => {
    const { status, errorCode, attempts } = await endedRun(stack, id, 60_000);
    return {
      status,
      ...(errorCode ? { errorCode } : {}),
      attempts: attempts.map(({ delivery, verdict }) => ({ delivery, status: verdict!.status })),
    };
  };
  const once = (status: string) => ({ status, attempts: [{ delivery: 1, status }] });
  const AFTER_A_RETRY = {
    status: 'passed',
    attempts: [
      { delivery: 1, status: 'failed' },
      { delivery: 1, status: 'passed' },
    ],
  };
  const workflowResult = (id: string) => stack.temporal.workflow.getHandle(id).result() as Promise<unknown>;
  /** Temporal's own count of deliveries, for each attempt of a test. */
  const deliveriesOf = async (id: string) => {
    const { events } = await stack.temporal.workflow.getHandle(id).fetchHistory();
    return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: start }) => (start ? [start.attempt] : []));
  };

  it('Temporal unavailable for the whole heartbeat timeout: no test runs again, and stops reach their tests', async () => {
    const across = await onBoth('Across');
    const red = await onBoth('Red in Temporal');
    const flaky = await onBoth('Flaky in Temporal');
    const long = await onBoth('Long');
    const suite = (await trigger(webhookUrl(stack, project, 'suites', 'One after the other'))).id;
    const firstOfSuite = await eventually(
      async () => (await stack.collections.runs.findOne({ suiteRunId: suite, position: 0 })) ?? undefined,
    );
    const begun = [across, red, flaky, long].flatMap((ids) => Object.values(ids));
    await started([...begun, firstOfSuite._id]);

    const awaySince = performance.now();
    link.cut();
    const { temporal } = stack.pids();
    let queued: string;
    try {
      // Temporal accepts the stop; the test's worker only reaches MongoDB.
      expect((await stop(long.linked)).status).to.equal(200);
      expect(await ended(long.linked)).to.deep.equal(once('stopped'));
      expect(leftOf(long.linked)).to.deep.equal([]);

      process.kill(temporal, 'SIGSTOP');
      // Concurrently: on a busy machine, sequential stops would take longer than the outage may.
      const refusedStop = async () => {
        const refused = await stop(long.default);
        expect(refused.status).to.equal(503);
        expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);
      };
      [queued] = await Promise.all([
        accept('Quick on linked'),
        refusedStop(),
        open('temporal-away'),
        ...[...Object.values(red), firstOfSuite._id].map(async (id) =>
          expect(await ended(id)).to.deep.equal(once('failed')),
        ),
        ...Object.values(flaky).map((id) => runWithStatus(stack, id, 'auto_retrying')),
      ]);
      await eventually(() => performance.now() - awaySince >= HEARTBEAT_TIMEOUT_MS || undefined, 60_000);
    } finally {
      process.kill(temporal, 'SIGCONT');
      link.heal();
    }

    // The client repeats the request, as Retry-After requires.
    await eventually(async () => (await stop(long.default)).status === 200 || undefined, 20_000);
    expect(await ended(long.default)).to.deep.equal(once('stopped'));
    expect(leftOf(long.default)).to.deep.equal([]);
    expect(await ended(queued)).to.deep.equal(once('passed'));
    for (const id of Object.values(flaky)) expect(await ended(id)).to.deep.equal(AFTER_A_RETRY);
    expect((await endedRun(stack, suite, 60_000)).counts).to.deep.equal(statusCounts({ failed: 1, passed: 1 }));
    for (const id of Object.values(red)) expect(await workflowResult(id)).to.deep.equal({ status: 'failed' });
    // Temporal has not timed out any of these attempts.
    await open('after');
    for (const id of Object.values(across)) {
      expect(await ended(id)).to.deep.equal(once('passed'));
      expect(await workflowResult(id)).to.deep.equal({ status: 'passed' });
      expect(await deliveriesOf(id)).to.deep.equal([1]);
    }
    const retried = Object.values(flaky);
    const single = [...begun.filter((id) => !retried.includes(id)), firstOfSuite._id, queued];
    expect(await Promise.all(single.map(starts))).to.deep.equal(single.map(() => 1));
    expect(await Promise.all(retried.map(starts))).to.deep.equal(retried.map(() => 2));
  }).timeout(180_000);

  /** The activity of a run's current attempt, as Temporal describes it. */
  const pendingActivity = async (id: string) =>
    (await stack.temporal.workflow.getHandle(id).describe()).raw.pendingActivities?.[0];
  const hasReportedVerdict = (id: string) =>
    eventually(async () => {
      const details = (await pendingActivity(id))?.heartbeatDetails?.payloads?.[0]?.data;
      return (details && Buffer.from(details).includes('"verdict"')) || undefined;
    }, 20_000);

  it('MongoDB unavailable and workers killed: verdicts survive on disk or in Temporal, and only unfinished tests run again', async () => {
    await stack.server.kill('SIGTERM');
    await stack.server.start({ RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS: String(SHORT_TIMEOUT_SECONDS) });
    const red = await onBoth('Red in MongoDB');
    const flaky = await onBoth('Flaky in MongoDB');
    const unfinished = await onBoth('Long');
    const ids = [red, flaky, unfinished].flatMap((both) => Object.values(both));
    await started(ids);
    // Scheduled now, but delivered to a worker only when MongoDB is unavailable.
    link.cut();
    const untaken = await accept('Quick on linked');
    await eventually(() => pendingActivity(untaken), 20_000);

    let ready: Promise<unknown> = Promise.resolve();
    await stack.restartMongodb(async () => {
      link.heal();
      await open('mongodb-away');
      const kept = [...Object.values(red), ...Object.values(flaky)];
      await Promise.all(kept.map(hasReportedVerdict));
      await eventually(async () => (await readdir(`${stack.folder}/work/verdicts`)).length === 2 || undefined);
      await eventually(async () => Number((await pendingActivity(untaken))?.attempt ?? 0) === 1 || undefined);
      await Promise.all([stack.worker.kill('SIGKILL'), second.kill('SIGKILL')]);
      // One keeps its work folder, the other gets an empty one, as on another machine.
      ready = Promise.all([stack.worker.start(), second.start({ RUNHOOK_WORK_FOLDER: `${stack.folder}/third` })]);
    });
    await ready;

    for (const id of Object.values(red)) {
      expect(await ended(id)).to.deep.equal({ ...once('error'), errorCode: 'KILLED' });
      expect(await workflowResult(id)).to.deep.equal({ status: 'error' });
    }
    const [fromDisk, fromTemporal] = await Promise.all(
      POOLS.map(async (pool) => (await endedRun(stack, red[pool])).attempts[0]!.verdict!),
    );
    expect(fromDisk!.errorMessage).to.be.a('string');
    expect(fromTemporal!.errorMessage).to.equal(undefined);
    for (const { notes } of [fromDisk!, fromTemporal!]) expect(notes!.join()).to.include('The last lines of the log');
    for (const id of Object.values(flaky)) expect(await ended(id)).to.deep.equal(AFTER_A_RETRY);
    expect(await ended(untaken)).to.deep.equal(once('passed'));
    expect(await readdir(`${stack.folder}/work/verdicts`)).to.deep.equal([]);
    // A test that was running ended with its worker, without a verdict: it runs again as the same attempt.
    for (const id of Object.values(unfinished)) {
      const run = await eventually(async () => {
        const found = (await stack.collections.runs.findOne({ _id: id })) as TestRun;
        return found.attempts[0]!.delivery === 2 ? found : undefined;
      }, 60_000);
      expect(run.attempts).to.have.length(1);
    }
    await started(Object.values(unfinished), 2);
    for (const id of Object.values(unfinished)) {
      expect((await stop(id)).status).to.equal(200);
      expect((await endedRun(stack, id)).status).to.equal('stopped');
    }
    expect(await Promise.all([...Object.values(red), untaken].map(starts))).to.deep.equal([1, 1, 1]);
    expect(await Promise.all(Object.values(flaky).map(starts))).to.deep.equal([2, 2]);
  }).timeout(180_000);
});
