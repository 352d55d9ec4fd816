import { ApplicationFailure, Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { CommandTest } from '#src/domain/targets/definitions.js';
import type { TestRun } from '#src/domain/runs/run.js';
import type { InstallationTemporal } from '#src/temporal/connect.js';
import { startOptionsOf } from '#src/temporal/start-run.js';
import type { RunResult, TestPlan } from '#workflows/messages.js';
import { aTestDefinition, aTestRun } from '#test/builders/run.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';
import { eventsOf, shownStatus, type WorkflowEnvironment } from './environment.js';
import { stubActivities, untilCancelled, type Activities, type Journal } from './stub-activities.js';

/** A workflow that has ended, and what happened before. */
export interface Ended {
  handle: WorkflowHandle;
  journal: Journal;
  /** undefined: it ended without a result. */
  result: RunResult | undefined;
  /** The status in Temporal at each check of the case. */
  shown: (string | undefined)[];
}

export interface Case {
  (environment: WorkflowEnvironment): Promise<Ended>;
}

interface TestCase {
  plan?: Partial<TestPlan>;
  definition?: Partial<CommandTest>;
  activities: (context: { handle: WorkflowHandle; shown: Ended['shown'] }) => Partial<Activities>;
  meanwhile?: (handle: WorkflowHandle, journal: Journal) => Promise<unknown>;
  runner?: boolean;
}

/** Starts a test run like the service does and waits for its end. */
async function runTest(environment: WorkflowEnvironment, options: TestCase): Promise<Ended> {
  const { temporal } = environment;
  const run = aTestRun({ definition: aTestDefinition(options.definition) });
  const handle = temporal.client.workflow.getHandle(run._id);
  const shown: Ended['shown'] = [];
  const { activities, journal } = stubActivities(options.activities({ handle, shown }));
  const result = await environment.withWorkers(
    activities,
    async () => {
      await startTest(temporal, run, options.plan);
      await options.meanwhile?.(handle, journal);
      return (await handle.result().catch(() => undefined)) as RunResult | undefined;
    },
    { runner: options.runner ?? true },
  );
  shown.push(await shownStatus(handle));
  return { handle, journal, result, shown };
}

/** As the service starts it, or, with a larger plan, as a suite does. */
async function startTest(temporal: InstallationTemporal, run: TestRun, more: Partial<TestPlan> = {}): Promise<void> {
  const { pool, timeoutMs, retries } = run.definition;
  const plan: TestPlan = { runId: run._id, pool, timeoutMs, retries, ...more };
  await temporal.client.workflow.start('testRun', { ...startOptionsOf(temporal, run), args: [plan] });
}

/** Attempts with these statuses, one after the other. */
const attempts =
  (...statuses: ('passed' | 'failed' | 'auto_retrying')[]): TestCase['activities'] =>
  ({ handle, shown }) => ({
    async executeTest({ attempt }) {
      shown.push(await shownStatus(handle));
      return { status: statuses[attempt - 1]! };
    },
  });

const begun = (journal: Journal) => eventually(() => journal.inputs('executeTest')[0]);

/** Cases of a test run, also recorded as histories (scripts/record-histories.mjs). */
export const testRunCases = {
  passed: (environment) => runTest(environment, { activities: attempts('passed') }),

  failed: (environment) => runTest(environment, { activities: attempts('failed') }),

  'auto-retrying': (environment) =>
    runTest(environment, { definition: { retries: 2 }, activities: attempts('auto_retrying', 'passed') }),

  'retries-used-up': (environment) =>
    runTest(environment, { definition: { retries: 1 }, activities: attempts('auto_retrying', 'failed') }),

  'worker-lost': (environment) =>
    runTest(environment, {
      activities: () => ({
        executeTest: async () => {
          throw ApplicationFailure.nonRetryable('no worker could do it');
        },
      }),
    }),

  'stopped-while-queued': (environment) =>
    runTest(environment, {
      activities: () => ({}),
      runner: false,
      async meanwhile(handle) {
        await eventually(async () => (await eventsOf(handle, 'activityTaskScheduledEventAttributes'))[0]);
        await handle.cancel();
      },
    }),

  /** The activity ends only after the cancellation was delivered and processed: does the workflow wait? */
  'stopped-while-running': (environment) => {
    const cancelled = gate();
    return runTest(environment, {
      activities: ({ handle, shown }) => ({
        async executeTest() {
          await untilCancelled().catch(async (stop: unknown) => {
            await cancelled.opened;
            shown.push((await handle.describe()).status.name);
            throw stop;
          });
          return { status: 'passed' };
        },
      }),
      async meanwhile(handle, journal) {
        await begun(journal);
        await handle.cancel();
        await eventually(async () => (await eventsOf(handle, 'activityTaskCancelRequestedEventAttributes'))[0]);
        cancelled.open();
      },
    });
  },

  /** The test had ended when the stop arrived: its verdict remains. */
  'ended-while-stopped': (environment) =>
    runTest(environment, {
      activities: () => ({ executeTest: () => untilCancelled().catch(() => ({ status: 'failed' as const })) }),
      meanwhile: async (handle, journal) => (await begun(journal), await handle.cancel()),
    }),

  /** A worker that is lost during a stop: stopped, not an error. */
  'stopped-with-lost-worker': (environment) =>
    runTest(environment, {
      activities: () => ({
        executeTest: () =>
          untilCancelled().catch(() => {
            throw ApplicationFailure.retryable(`delivery ${Context.current().info.attempt} was lost`);
          }),
      }),
      meanwhile: async (handle, journal) => (await begun(journal), await handle.cancel()),
    }),

  /** The worker is shut down twice during the attempt. */
  'handed-over': (environment) =>
    runTest(environment, {
      activities: () => ({
        async executeTest({ earlierDeliveries = 0 }) {
          if (earlierDeliveries === 2) return { status: 'passed' };
          throw ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown', earlierDeliveries + 1);
        },
      }),
    }),

  /** The worker never receives the cancellation from Temporal. */
  'stopped-by-the-record': (environment) => {
    const noted = gate();
    return runTest(environment, {
      activities: () => ({
        noteStop: async () => noted.open(),
        executeTest: () => noted.opened.then(() => ({ status: 'stopped' as const })),
      }),
      meanwhile: async (handle, journal) => (await begun(journal), await handle.cancel()),
    });
  },

  /** The worker is shut down with a verdict that it could not record. */
  'handed-over-with-its-verdict': (environment) =>
    runTest(environment, {
      activities: () => ({
        async executeTest({ ended }) {
          if (ended) return { status: 'failed' };
          throw ApplicationFailure.retryable('The worker is shutting down', 'WorkerShutdown', 1, { status: 'failed' });
        },
      }),
    }),

  /** No worker polls its pool, which was served a moment ago and then no longer. */
  'no-runner': (environment) => {
    let looks = 0;
    return runTest(environment, {
      plan: { noRunnerMs: 500 },
      activities: () => ({ findRunner: async () => ({ alive: false, seenAgoMs: 400 * ++looks }) }),
      runner: false,
    });
  },

  /** Like `no-runner`, for a run that keeps its place: canceled when no runner was seen for the limit. */
  'no-runner-in-place': (environment) => {
    let looks = 0;
    return runTest(environment, {
      plan: { noRunnerMs: 500, keepsPlace: true },
      activities: () => ({ findRunner: async () => ({ alive: false, seenAgoMs: 400 * ++looks }) }),
      runner: false,
    });
  },

  /** It waits for longer than the limit in a busy pool. */
  'waited-in-place': (environment) => {
    const asked = gate();
    let looks = 0;
    return runTest(environment, {
      plan: { noRunnerMs: 200, keepsPlace: true },
      activities: () => ({
        async executeTest() {
          await asked.opened;
          return { status: 'passed' };
        },
        async findRunner() {
          if (++looks === 3) asked.open();
          return { alive: true };
        },
      }),
    });
  },

  /** Its worker cannot update its presence, but executes it. */
  'taken-by-an-unseen-runner': (environment) => {
    const asked = gate();
    return runTest(environment, {
      plan: { noRunnerMs: 200, keepsPlace: true },
      activities: () => ({
        async executeTest() {
          await asked.opened;
          return { status: 'passed' };
        },
        findRunner: async () => ({ alive: false }),
        async isUntaken() {
          asked.open();
          return false;
        },
      }),
    });
  },

  /** Its suite continues as new meanwhile, requests a report, and no longer exists when the test ends. */
  'told-to-report': (environment) => {
    const delivered = gate();
    return runTest(environment, {
      plan: { mayRunAgain: true, earlierAttempts: 3 },
      activities: () => ({
        async executeTest() {
          await delivered.opened;
          return { status: 'auto_retrying' };
        },
      }),
      async meanwhile(handle, journal) {
        await begun(journal);
        await handle.signal('reportTo', 'no-such-suite');
        delivered.open();
      },
    });
  },
} satisfies Record<string, Case>;
