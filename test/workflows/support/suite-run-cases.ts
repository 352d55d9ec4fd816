import type { WorkflowHandle } from '@temporalio/client';
import type { ExecuteTestInput } from '#activities/execute-test.js';
import type { SuiteDefinition } from '#src/domain/targets/definitions.js';
import { startRun } from '#src/temporal/start-run.js';
import type { RunResult, SuiteTest, TestResult } from '#workflows/messages.js';
import { aSuiteDefinition, aSuiteRun } from '#test/builders/run.js';
import { suiteTests } from '#test/builders/suite-test.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';
import { eventsOf, shownStatus, type WorkflowEnvironment } from './environment.js';
import { chainOf, testsOf } from './suite-chain.js';
import { stubActivities, suiteOf, untilCancelled, type Activities, type Journal } from './stub-activities.js';
import type { Ended } from './test-run-cases.js';

export interface EndedSuite extends Ended {
  tests: SuiteTest[];
  /** Positions of the tests in the order of their start. */
  started: (number | undefined)[];
  /** Maximum of concurrent tests, from the suite's history. */
  most: number;
  /** Workflow runs: more than one after continue-as-new. */
  runs: number;
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
  /** Behavior of the test at a position; it passes by default. */
  execute?: (position: number, suite: Meanwhile, input: ExecuteTestInput) => Promise<TestResult['status']>;
  suite?: (suite: Meanwhile) => Partial<Activities>;
  meanwhile?: (suite: Meanwhile) => Promise<unknown>;
}

/** Starts a suite run like the service does and waits for its end. */
export async function runSuite(
  { temporal, withWorkers }: Pick<WorkflowEnvironment, 'temporal' | 'withWorkers'>,
  { size = 3, execute = async () => 'passed', suite, meanwhile, ...definition }: SuiteOptions,
): Promise<EndedSuite> {
  const run = aSuiteRun({ definition: aSuiteDefinition(definition) });
  const handle = temporal.client.workflow.getHandle(run._id);
  const tests = suiteTests(size);
  const positionOf = (runId: string) => tests.findIndex((test) => test.runId === runId);
  const shown: Ended['shown'] = [];
  // The journal belongs to the stub activities.
  const about = { handle, client: temporal.client, tests } as Meanwhile;
  const { activities, journal } = stubActivities({
    ...suiteOf(tests),
    executeTest: async (input) => ({ status: await execute(positionOf(input.runId), about, input) }),
    ...suite?.(about),
  });
  about.journal = journal;

  const result = await withWorkers(activities, async () => {
    await startRun(temporal, run);
    await meanwhile?.(about);
    return (await handle.result().catch(() => undefined)) as RunResult | undefined;
  });
  shown.push(await shownStatus(handle));
  const chain = await chainOf(temporal.client, handle.workflowId);
  const { started, most } = testsOf(chain);
  return { handle, journal, result, shown, tests, started: started.map(positionOf), most, runs: chain.length };
}

/** Waits until the tests at these positions are running. */
const executing = ({ journal, tests }: Meanwhile, ...positions: number[]) =>
  eventually(() => {
    const begun = journal.inputs('executeTest').map(({ runId }) => runId);
    return positions.every((position) => begun.includes(tests[position]!.runId)) ? true : undefined;
  });

/** Waits until this many children have completed, according to the suite's history. */
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

/** The tests at these positions are missing. */
const missing =
  (...positions: number[]): NonNullable<SuiteOptions['suite']> =>
  ({ tests }) => {
    for (const position of positions) tests[position]!.isMissing = true;
    return {};
  };

/** How often each of three tests fails before it passes. */
const FAILURES = [1, 2, 0];

const failingAtFirst: SuiteOptions['execute'] = async (position, _, { attempt }) =>
  attempt > FAILURES[position]! ? 'passed' : 'auto_retrying';

/** Lists the tests that did not pass in the previous pass, like their records would. */
const listingFailed: SuiteOptions['suite'] = (suite) => ({
  async listSuiteTests({ from, limit, onlyFailed }) {
    const attemptsOf = (runId: string) =>
      suite.journal.inputs('executeTest').filter((input) => input.runId === runId).length;
    return suite.tests
      .map((test) => ({ ...test, earlierAttempts: attemptsOf(test.runId) }))
      .filter(({ position, earlierAttempts }) => !onlyFailed || earlierAttempts <= FAILURES[position]!)
      .filter(({ position }) => position >= from)
      .slice(0, limit);
  },
});

/** Cases of a suite run, also recorded as histories (scripts/record-histories.mjs). */
export const suiteRunCases = {
  passed: (environment) => runSuite(environment, { parallelism: 2 }),

  /** The first fails while the second is running. */
  'stop-on-failure': (environment) =>
    runSuite(environment, { size: 4, parallelism: 2, onFailure: 'stop', execute: failingFirst }),

  /** Two listed tests are missing. */
  'tests-missing': (environment) => runSuite(environment, { size: 4, parallelism: 2, suite: missing(0, 2) }),

  'stop-on-missing-test': (environment) =>
    runSuite(environment, { size: 4, parallelism: 1, onFailure: 'stop', suite: missing(1) }),

  'continue-on-failure': (environment) => runSuite(environment, { size: 4, parallelism: 2, execute: failingFirst }),

  /** Of two stopped tests, the second ends when the suite has received the end of the first. */
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

  /** One test's workflow is terminated in the Temporal UI. */
  'test-terminated': (environment) =>
    runSuite(environment, {
      parallelism: 1,
      execute: (position) => (position === 0 ? untilCancelled() : Promise.resolve('passed')),
      async meanwhile(suite) {
        await executing(suite, 0);
        await suite.client.workflow.getHandle(suite.tests[0]!.runId).terminate();
      },
    }),

  /** One test's workflow is canceled in the Temporal UI. */
  'test-cancelled': (environment) =>
    runSuite(environment, {
      parallelism: 1,
      execute: (position) => (position === 0 ? untilCancelled() : Promise.resolve('passed')),
      async meanwhile(suite) {
        await executing(suite, 0);
        await suite.client.workflow.getHandle(suite.tests[0]!.runId).cancel();
      },
    }),

  /** The record had ended before the workflow started. */
  over: (environment) =>
    runSuite(environment, {
      suite: () => ({
        expandSuite: async () => ({ total: 0, over: true }),
        finishSuite: async () => ({ status: 'error' }),
      }),
    }),

  /** A stop while the test runs are being inserted. */
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

  /** Long enough to continue as new. The first test runs longer than all others. */
  'continued-as-new': (environment) =>
    runSuite(environment, {
      size: 80,
      parallelism: 5,
      async execute(position, { journal }) {
        if (position === 0) await eventually(() => journal.inputs('executeTest').length === 80 || undefined, 60_000);
        return 'passed';
      },
    }),

  /** A stop while tests of an earlier workflow run are running. */
  'stopped-after-continuing': (environment) =>
    runSuite(environment, {
      size: 200,
      parallelism: 5,
      execute: (position) => (position < 2 ? untilCancelled() : Promise.resolve('passed')),
      meanwhile: async ({ handle, client }) => {
        await eventually(async () => (await chainOf(client, handle.workflowId)).length > 1 || undefined, 60_000);
        await handle.cancel();
      },
    }),

  /** A test that an earlier workflow run started is terminated in the Temporal UI. */
  'inherited-test-terminated': (environment) =>
    runSuite(environment, {
      size: 80,
      parallelism: 5,
      execute: (position) => (position === 0 ? untilCancelled() : Promise.resolve('passed')),
      suite: ({ tests }) => ({ endedRuns: async () => [{ runId: tests[0]!.runId, status: 'stopped' }] }),
      meanwhile: async ({ handle, client, tests }) => {
        await eventually(async () => (await chainOf(client, handle.workflowId)).length > 1 || undefined, 60_000);
        await client.workflow.getHandle(tests[0]!.runId).terminate();
      },
    }),

  'timed-out': (environment) =>
    runSuite(environment, {
      size: 4,
      parallelism: 2,
      timeoutMs: 1000,
      execute: (position) => (position === 1 ? untilCancelled() : Promise.resolve('passed')),
    }),

  /** Of three tests, the first fails once and the second twice. */
  'failed-tests-again': (environment) =>
    runSuite(environment, { retryFailed: 2, execute: failingAtFirst, suite: listingFailed }),

  /** The first of three tests fails once; the suite continues when it has passed. */
  'failed-tests-again-at-once': (environment) =>
    runSuite(environment, {
      retryFailed: 1,
      parallelism: 1,
      onFailure: 'stop',
      execute: async (position, _, { attempt }) => (position === 0 && attempt === 1 ? 'auto_retrying' : 'passed'),
    }),
} satisfies Record<string, SuiteCase>;
