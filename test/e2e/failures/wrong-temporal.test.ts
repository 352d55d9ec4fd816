import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import { freePort } from '#tools/stack/ports.js';
import { startTemporal, type RunningTemporal } from '#tools/stack/servers/run-temporal.js';
import { eventually } from '#test/support/eventually.js';
import { nodeProcess, type NodeProcess } from '#test/support/processes/node-process.js';
import { endedRun, runWithStatus, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const PROJECT = `
project: Bound
tests:
  - { name: Quick, command: ['true'] }
  - { name: Waits, command: [sleep, '300'] }
schedules:
  - { name: Every minute, test: Quick, cron: '* * * * *' }
`;
const COMMAND = fileURLToPath(new URL('../../../dist/src/bin/runhook.js', import.meta.url));
const REMEDY = 'runhook setup --rebind-temporal';

describe('a second stack on a database with another Temporal', () => {
  let stack: TestStack;
  let other: RunningTemporal;
  let connection: Connection;
  let server: NodeProcess;
  let worker: NodeProcess;
  let env: Record<string, string>;
  let [baseUrl, opsUrl] = ['', ''];

  before(async () => {
    stack = await startStack({ workerEnv: { RUNHOOK_WORKFLOW_LOST_MINUTES: '0.01' } });
    other = await startTemporal({ log: () => {}, logFile: `${stack.folder}/other.log` });
    connection = await Connection.connect({ address: other.address });
    const [port, opsPort] = [await freePort(), await freePort()];
    [baseUrl, opsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}`];
    env = { ...stack.workerEnv, TEMPORAL_ADDRESS: other.address };
    server = nodeProcess('server.js', '"server ready"', {
      ...env,
      RUNHOOK_PORT: String(port),
      RUNHOOK_OPS_PORT: String(opsPort),
      RUNHOOK_PUBLIC_URL: baseUrl,
      RUNHOOK_DRAIN_SECONDS: '0',
    });
    // It does not get beyond this line.
    worker = nodeProcess('worker.js', 'not accepting work yet', {
      ...env,
      RUNHOOK_WORK_FOLDER: `${stack.folder}/other`,
    });
  });
  after(async () => {
    await Promise.all([server?.kill('SIGTERM'), worker?.kill('SIGTERM')]);
    await connection?.close();
    await other?.stop();
    await stack?.stop();
  });

  const readiness = async (of: string) => {
    const response = await fetch(`${of}/readyz`);
    const { dependencies } = (await response.json()) as { dependencies: { temporal: object } };
    return { code: response.status, temporal: dependencies.temporal as { status: string; message?: string } };
  };
  const inOther = async () => {
    const client = new Client({ connection });
    const found: string[] = [];
    for await (const { scheduleId } of client.schedule.list()) found.push(scheduleId);
    for await (const { workflowId } of client.workflow.list()) found.push(workflowId);
    return found;
  };

  it('is not ready, states how to rebind, accepts, and starts, reconciles and schedules nothing', async () => {
    const project = await stack.importText(PROJECT);
    const waiting = (await trigger(webhookUrl(stack, project, 'tests', 'Waits'))).id;
    await runWithStatus(stack, waiting, 'running');
    await Promise.all([server.start(), worker.start()]);
    const { code, temporal } = await eventually(async () => {
      const state = await readiness(opsUrl);
      return state.temporal.status === 'down' ? state : undefined;
    });
    expect(code).to.equal(503);
    expect(temporal.message).to.include(REMEDY);
    await eventually(() => (server.output.includes(REMEDY) && worker.output.includes(REMEDY)) || undefined);
    expect((await readiness(stack.opsUrl)).code).to.equal(200);

    // Accepted by one, and started by the Temporal to which the database is bound.
    const url = webhookUrl(stack, project, 'tests', 'Quick').replace(stack.baseUrl, baseUrl);
    const ids = [(await trigger(url)).id, (await trigger(url)).id];
    for (const id of ids) expect((await endedRun(stack, id, 60_000)).status).to.equal('passed');
    expect(await inOther()).to.deep.equal([]);
    expect((await stack.collections.runs.findOne({ _id: waiting }))!.status).to.equal('running');
    expect(worker.output).not.to.include('worker ready');
  }).timeout(180_000);

  /** @returns the command's output, and its exit status */
  const runhook = (...args: string[]) =>
    new Promise<{ output: string; code: number | null }>((resolve) => {
      const variables = { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
      const child = execFile(process.execPath, [COMMAND, ...args], { env: variables }, (_error, stdout, stderr) =>
        resolve({ output: stdout + stderr, code: child.exitCode }),
      );
    });

  it('is refused by setup and reported by doctor, with the command that rebinds', async () => {
    const refused = await runhook('setup');
    expect(refused.code).not.to.equal(0);
    expect(refused.output).to.include(REMEDY);
    expect(await inOther()).to.deep.equal([]);
    expect((await runhook('doctor')).output).to.include(REMEDY);
  }).timeout(60_000);

  it('is accepted once the database is rebound explicitly, and the first Temporal is not', async () => {
    const { runs } = stack.collections;
    const begun = (await runs.findOne({ status: 'running' }))!._id;
    const rebound = await runhook('setup', '--rebind-temporal');
    expect(rebound.output).to.include('are set up');
    expect(rebound.code).to.equal(0);
    await eventually(async () => (await readiness(opsUrl)).code === 200 || undefined, 30_000);
    await eventually(async () => (await readiness(stack.opsUrl)).code === 503 || undefined, 30_000);
    await eventually(() => worker.output.includes('worker ready') || undefined, 60_000);
    await eventually(() => stack.worker.output.includes('the worker is exiting') || undefined, 60_000);
    // Its workflow is missing in this Temporal, so it is lost after the configured time. New runs work.
    const { queue } = stack;
    const reconcile = new Client({ connection }).schedule.getHandle(`${queue}-reconcile`);
    await eventually(async () => {
      await reconcile.trigger();
      const run = await runs.findOne({ _id: begun });
      return run!.status === 'running' ? undefined : run!;
    }, 90_000);
    const { status, errorCode } = (await runs.findOne({ _id: begun }))!;
    expect([status, errorCode]).to.deep.equal(['error', 'WORKFLOW_LOST']);
    const { webhookToken, tests } = await stack.importText(PROJECT);
    const { id } = await trigger(`${baseUrl}/webhooks/${webhookToken}/tests/run/${tests.Quick}`);
    expect((await endedRun(stack, id, 60_000)).status).to.equal('passed');
    expect(await inOther()).to.include(id);
  }).timeout(300_000);
});
