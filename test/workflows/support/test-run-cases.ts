import { ApplicationFailure, Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestDefinition } from '../../../src/domain/definitions.js';
import { startRun } from '../../../src/temporal/start-run.js';
import type { RunResult } from '../../../workflows/messages.js';
import { aTestDefinition, aTestRun } from '../../builders/run.js';
import { eventually } from '../../support/eventually.js';
import { gate } from '../../support/gate.js';
import { eventsOf, shownStatus, type WorkflowEnvironment } from './environment.js';
import { stubActivities, untilCancelled, type Activities, type Journal } from './stub-activities.js';

/** A workflow that has ended, and what led to it. */
export interface Ended {
  handle: WorkflowHandle;
  journal: Journal;
  /** undefined: it ended otherwise than with a result. */
  result: RunResult | undefined;
  /** The status that Temporal showed at each moment that the case looked. */
  shown: (string | undefined)[];
}

export interface Case {
  (environment: WorkflowEnvironment): Promise<Ended>;
}

interface TestCase {
  definition?: Partial<TestDefinition>;
  activities: (context: { handle: WorkflowHandle; shown: Ended['shown'] }) => Partial<Activities>;
  meanwhile?: (handle: WorkflowHandle, journal: Journal) => Promise<unknown>;
  runner?: boolean;
}

/** Starts a test run as the service does and waits for its end. */
async function runTest(environment: WorkflowEnvironment, options: TestCase): Promise<Ended> {
  const { temporal } = environment;
  const run = aTestRun({ definition: aTestDefinition(options.definition) });
  const handle = temporal.client.workflow.getHandle(run._id);
  const shown: Ended['shown'] = [];
  const { activities, journal } = stubActivities(options.activities({ handle, shown }));
  const result = await environment.withWorkers(
    activities,
    async () => {
      await startRun(temporal, run);
      await options.meanwhile?.(handle, journal);
      return (await handle.result().catch(() => undefined)) as RunResult | undefined;
    },
    { runner: options.runner ?? true },
  );
  shown.push(await shownStatus(handle));
  return { handle, journal, result, shown };
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

/** Cases of one test's run. Recorded as histories too: see scripts/record-histories.mjs. */
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

  /** The activity ends only when Temporal has asked it to and the workflow has had its say: would it go on without? */
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

  /** The test had ended by itself when the stop came: its verdict stands. */
  'ended-while-stopped': (environment) =>
    runTest(environment, {
      activities: () => ({ executeTest: () => untilCancelled().catch(() => ({ status: 'failed' as const })) }),
      meanwhile: async (handle, journal) => (await begun(journal), await handle.cancel()),
    }),

  /** A worker that is asked to stop and cannot say that it has: a stop all the same, not an error. */
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
} satisfies Record<string, Case>;
