import { expect } from 'chai';
import { checkPools } from '#src/services/pools/check-pools.js';
import { createPoolStates } from '#src/services/pools/pool-states.js';
import { describeQueue } from '#src/temporal/describe-queue.js';
import { startOptionsOf } from '#src/temporal/start-run.js';
import { runnerQueue, workflowQueue, type TestPlan } from '#workflows/messages.js';
import { aTestRun } from '#test/builders/run.js';
import { eventually } from '#test/support/eventually.js';
import { sharedEnvironment } from './support/shared-environment.js';
import { stubActivities } from './support/stub-activities.js';

describe('a pool whose workers take no tests', () => {
  it('has a check that warns, until they take them', async () => {
    const { temporal, withWorkers } = await sharedEnvironment();
    const queue = runnerQueue(workflowQueue(temporal.installationId), 'default');
    // As recorded by a worker that sends heartbeats and polls nothing.
    const poolStates = createPoolStates({
      workers: { livePools: async () => [{ pool: 'default', runners: 1, slots: 4 }], knownPools: async () => [] },
      queues: { pools: async () => [] },
      describeRunnerQueue: () => describeQueue(temporal, queue, 'activity'),
    });
    const check = () => checkPools({ poolStates, queues: { countRunning: async () => 0 } }, 1000);
    const { activities } = stubActivities();

    const handle = await withWorkers(
      activities,
      async () => {
        const run = aTestRun();
        const { pool, timeoutMs, retries } = run.definition;
        const plan: TestPlan = { runId: run._id, pool, timeoutMs, retries };
        const started = await temporal.client.workflow.start('testRun', {
          ...startOptionsOf(temporal, run),
          args: [plan],
        });
        const warning = await eventually(async () => {
          const [found] = await check();
          return found?.level === 'warn' ? found : undefined;
        }, 30_000);
        expect(warning.name).to.equal('Pool default');
        expect(warning.message).to.match(/^a test has been waiting for \d+ s, although its worker uses only 0 of 4/);
        return started;
      },
      { runner: false },
    );
    await withWorkers(activities, async () => {
      expect(await handle.result()).to.deep.equal({ status: 'passed' });
      await eventually(async () => ((await check())[0]?.level === 'ok' ? true : undefined), 30_000);
    });
  });
});
