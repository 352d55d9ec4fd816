import type { WorkflowHandle } from '@temporalio/client';
import type { SuiteDefinition } from '../../../src/domain/definitions.js';
import { startRun } from '../../../src/temporal/start-run.js';
import type { RunResult, SuiteTest } from '../../../workflows/messages.js';
import { aSuiteDefinition, aSuiteRun } from '../../builders/run.js';
import { suiteTests } from '../../builders/suite-test.js';
import { eventually } from '../../support/eventually.js';
import { gate } from '../../support/gate.js';
import { eventsOf, shownStatus, type WorkflowEnvironment } from './environment.js';
import { stubActivities, suiteOf, untilCancelled, type Activities, type Journal } from './stub-activities.js';
import type { Ended } from './test-run-cases.js';

export interface EndedSuite extends Ended {
  tests: SuiteTest[];
  /** Positions of the tests in the order of their start. */
  started: (number | undefined)[];
  /** Most tests that were in flight at the same time, as the suite's history tells. */
  most: number;
}

export interface SuiteCase {
  (environment: WorkflowEnvironment): Promise<EndedSuite>;
}

interface Meanwhile {
  handle: WorkflowHandle;
  journal: Journal;
  client: WorkflowEnvironment['temporal']['client'];
  tests: SuiteTest[];
}

interface SuiteOptions extends Partial<SuiteDefinition> {
  size?: number;
  /** What the test at a position does; it passes otherwise. */
  execute?: (position: number, suite: Meanwhile) => Promise<'passed' | 'failed'>;
  suite?: (suite: Meanwhile) => Partial<Activities>;
  meanwhile?: (suite: Meanwhile) => Promise<unknown>;
}

/** Starts a suite run as the service does and waits for its end. */
export async function runSuite(
  { temporal, withWorkers }: WorkflowEnvironment,
  { size = 3, execute = async () => 'passed', suite, meanwhile, ...definition }: SuiteOptions,
): Promise<EndedSuite> {
  const run = aSuiteRun({ definition: aSuiteDefinition(definition) });
  const handle = temporal.client.workflow.getHandle(run._id);
  const tests = suiteTests(size);
  const positionOf = (runId: string) => tests.findIndex((test) => test.runId === runId);
  const shown: Ended['shown'] = [];
  // The journal is of the activities that look into it.
  const about = { handle, client: temporal.client, tests } as Meanwhile;
  const { activities, journal } = stubActivities({
    ...suiteOf(tests),
    executeTest: async ({ runId }) => ({ status: await execute(positionOf(runId), about) }),
    ...suite?.(about),
  });
  about.journal = journal;

  const result = await withWorkers(activities, async () => {
    await startRun(temporal, run);
    await meanwhile?.(about);
    return (await handle.result().catch(() => undefined)) as RunResult | undefined;
  });
  shown.push(await shownStatus(handle));
  const children = await eventsOf(handle, 'startChildWorkflowExecutionInitiatedEventAttributes');
  const started = children.map(({ workflowId }) => positionOf(workflowId!));
  return { handle, journal, result, shown, tests, started, most: await mostInFlight(handle) };
}

async function mostInFlight(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  let inFlight = 0;
  let most = 0;
  for (const event of events ?? []) {
    if (event.startChildWorkflowExecutionInitiatedEventAttributes) most = Math.max(most, ++inFlight);
    else if (event.childWorkflowExecutionCompletedEventAttributes) inFlight--;
  }
  return most;
}

/** Tests at these positions are executing. */
const executing = ({ journal, tests }: Meanwhile, ...positions: number[]) =>
  eventually(() => {
    const begun = journal.inputs('executeTest').map(({ runId }) => runId);
    return positions.every((position) => begun.includes(tests[position]!.runId)) ? true : undefined;
  });

/** So many of the suite's children have completed, as the suite's workflow was told. */
const childrenCompleted = ({ handle }: Meanwhile, count: number) =>
  eventually(async () => {
    const completed = await eventsOf(handle, 'childWorkflowExecutionCompletedEventAttributes');
    return completed.length >= count ? true : undefined;
  });

const failingFirst: SuiteOptions['execute'] = async (position, suite) => {
  if (position === 0) return 'failed';
  if (position === 1) await childrenCompleted(suite, 1);
  return 'passed';
};

/** Cases of a suite's run. Recorded as histories too: see scripts/record-histories.mjs. */
export const suiteRunCases = {
  passed: (environment) => runSuite(environment, { parallelism: 2 }),

  /** The first fails while the second is in flight. */
  'stop-on-failure': (environment) =>
    runSuite(environment, { size: 4, parallelism: 2, onFailure: 'stop', execute: failingFirst }),

  'continue-on-failure': (environment) => runSuite(environment, { size: 4, parallelism: 2, execute: failingFirst }),

  /** The second of two tests that are told to stop ends when the suite knows of the first one's end. */
  stopped: (environment) =>
    runSuite(environment, {
      size: 4,
      parallelism: 2,
      execute: (position, { handle }) =>
        untilCancelled().catch(async (stop: unknown) => {
          if (position === 1)
            await eventually(async () => (await eventsOf(handle, 'childWorkflowExecutionCanceledEventAttributes'))[0]);
          throw stop;
        }),
      meanwhile: async (suite) => (await executing(suite, 0, 1), await suite.handle.cancel()),
    }),

  /** Somebody terminates one test's workflow in the Temporal UI. */
  'test-terminated': (environment) =>
    runSuite(environment, {
      parallelism: 1,
      execute: (position) => (position === 0 ? untilCancelled() : Promise.resolve('passed')),
      async meanwhile(suite) {
        await executing(suite, 0);
        await suite.client.workflow.getHandle(suite.tests[0]!.runId).terminate();
      },
    }),

  /** Somebody cancels one test's workflow in the Temporal UI. */
  'test-cancelled': (environment) =>
    runSuite(environment, {
      parallelism: 1,
      execute: (position) => (position === 0 ? untilCancelled() : Promise.resolve('passed')),
      async meanwhile(suite) {
        await executing(suite, 0);
        await suite.client.workflow.getHandle(suite.tests[0]!.runId).cancel();
      },
    }),

  /** The record had ended before the workflow began. */
  over: (environment) =>
    runSuite(environment, {
      suite: () => ({
        expandSuite: async () => ({ total: 0, over: true }),
        finishSuite: async () => ({ status: 'error' }),
      }),
    }),

  /** A stop while the test runs are still being written. */
  'stopped-while-expanding': (environment) => {
    const cancelled = gate();
    return runSuite(environment, {
      suite: ({ tests }) => ({
        async expandSuite() {
          await cancelled.opened;
          return { total: tests.length, over: false };
        },
      }),
      async meanwhile({ handle, journal }) {
        await eventually(() => journal.inputs('expandSuite')[0]);
        await handle.cancel();
        await eventually(async () => (await eventsOf(handle, 'activityTaskCancelRequestedEventAttributes'))[0]);
        cancelled.open();
      },
    });
  },
} satisfies Record<string, SuiteCase>;
