import { ApplicationFailure, Context } from '@temporalio/activity';
import type { RunStatusStore } from '#src/db/runs/run-status-store.js';
import type { SuiteRunStore } from '#src/db/suite-runs/suite-run-store.js';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import { endOfSuite } from '#src/domain/runs/end-of-suite.js';
import { runIdOfPosition } from '#src/domain/ids.js';
import type { RunEnd, SuiteRun, TestRun } from '#src/domain/runs/run.js';
import { isTerminal, type StatusCounts, type TerminalStatus } from '#src/domain/runs/run-status.js';
import { preparationMsOf } from '#src/domain/targets/test-source.js';
import type { SuiteTest, TestEnd } from '#workflows/messages.js';

export interface SuiteActivities {
  /** Writes the suite's test runs, all `queued`. `over`: the suite run had already ended. */
  expandSuite(input: { runId: string }): Promise<{ total: number; over: boolean }>;
  /** A page of the suite's tests, in order. `onlyFailed`: failed tests that may run again. */
  listSuiteTests(input: SuitePage): Promise<SuiteTest[]>;
  /** Which of these runs are over, according to their records; a run without a record counts as over. */
  endedRuns(input: { runIds: string[] }): Promise<TestEnd[]>;
  /** Ends the remaining tests of the suite and the suite itself. */
  finishSuite(input: SuiteFinish): Promise<{ status: TerminalStatus }>;
}

export interface SuitePage {
  runId: string;
  /** Position of the first. */
  from: number;
  limit: number;
  onlyFailed?: boolean;
}

export interface SuiteFinish {
  runId: string;
  stopped: boolean;
  /** It took longer than its timeout. */
  timedOutAfterMs?: number;
  /** A result that does not follow from its tests. */
  end?: RunEnd;
}

export interface SuiteDeps {
  suiteRuns: SuiteRunStore;
  statuses: Pick<RunStatusStore, 'beginSuite' | 'endSuite'>;
}

/** Activities of the workflow queue that write and read a suite's test runs. */
export function createSuiteActivities({ suiteRuns, statuses }: SuiteDeps): SuiteActivities {
  return {
    async expandSuite({ runId }) {
      const suiteRun = await suiteRuns.find(runId);
      if (!suiteRun) throw ApplicationFailure.nonRetryable('The record of this suite run no longer exists', 'RunGone');
      if (isTerminal(suiteRun.status)) return { total: 0, over: true };
      const heartbeat = () => Context.current().heartbeat();
      const { testRuns, missing, archived } = await testRunsOf(suiteRuns, suiteRun);
      await suiteRuns.insertTestRuns(testRuns, heartbeat);
      await suiteRuns.endTestRuns(missing, MISSING, heartbeat);
      await suiteRuns.endTestRuns(archived, ARCHIVED, heartbeat);
      await statuses.beginSuite(runId);
      return { total: testRuns.length, over: false };
    },

    async listSuiteTests({ runId, from, limit, onlyFailed = false }) {
      const testRuns = await suiteRuns.listTestRuns(runId, from, limit, onlyFailed);
      return testRuns.map((run) => ({
        runId: run._id,
        targetId: run.targetId,
        name: run.targetName,
        position: run.position!,
        pool: run.definition.pool,
        timeoutMs: run.definition.timeoutMs,
        ...preparationOf(run.definition),
        retries: run.definition.retries,
        ...(run.errorCode === 'TEST_MISSING' ? { isMissing: true as const } : {}),
        ...(run.attempt > 0 ? { earlierAttempts: run.attempt } : {}),
      }));
    },

    async endedRuns({ runIds }) {
      const found = await suiteRuns.statusesOf(runIds);
      return runIds.flatMap((runId) => {
        const status = found.get(runId) ?? 'error';
        return isTerminal(status) ? [{ runId, status }] : [];
      });
    },

    async finishSuite({ runId, stopped, timedOutAfterMs, end }) {
      await suiteRuns.endOpenTestRuns(runId, () => Context.current().heartbeat());
      const counts = await suiteRuns.count(runId);
      const ending = end ?? (timedOutAfterMs ? timedOut(counts, timedOutAfterMs) : endOfSuite(counts, stopped));
      const { status } = await statuses.endSuite(runId, { ...ending, counts });
      return { status: status as TerminalStatus };
    },
  };
}

/** Omitted if 0: most tests have none, and up to 10,000 are listed. */
function preparationOf(definition: TestDefinition): Pick<SuiteTest, 'preparationMs'> {
  const preparationMs = preparationMsOf(definition);
  return preparationMs > 0 ? { preparationMs } : {};
}

/** A failed test makes the suite `failed` regardless of the timeout; the error code states why other tests did not run. */
function timedOut(counts: StatusCounts, afterMs: number): RunEnd {
  return {
    status: counts.failed > 0 ? 'failed' : 'error',
    errorCode: 'SUITE_TIMEOUT',
    errorMessage: `The suite was still running after ${afterMs / 1000} s, its timeout. Running tests were stopped (${counts.stopped}), pending tests were skipped (${counts.skipped}).`,
  };
}

const MISSING: RunEnd = {
  status: 'error',
  errorCode: 'TEST_MISSING',
  errorMessage: 'The project of this suite has no test with this ID. Remove it from the suite, or add the test.',
};

const ARCHIVED: RunEnd = {
  status: 'error',
  errorCode: 'TEST_MISSING',
  errorMessage: 'This test was archived before the suite was triggered. Remove it from the suite, or restore the test.',
};

/** For a missing test, whose run never executes anything. */
const NO_DEFINITION: TestDefinition = {
  runner: 'command',
  command: [],
  cwd: '',
  env: {},
  timeoutMs: 0,
  retries: 0,
  pool: 'default',
};

/** The same records each time: ids and order are derived from the suite run and the position. */
async function testRunsOf(suiteRuns: SuiteRunStore, suiteRun: SuiteRun) {
  const tests = await suiteRuns.testsOf(suiteRun);
  const missing: string[] = [];
  const archived: string[] = [];
  const testRuns = suiteRun.definition.tests.map((testId, position): TestRun => {
    const runId = runIdOfPosition(suiteRun._id, position);
    const test = tests.get(testId);
    if (!test) missing.push(runId);
    else if (test.isArchived) archived.push(runId);
    const { name, definition, revision } = test ?? { name: testId, definition: NO_DEFINITION, revision: 0 };
    return {
      _id: runId,
      kind: 'test',
      projectId: suiteRun.projectId,
      targetId: testId,
      targetName: name,
      targetRevision: revision,
      definition,
      status: 'queued',
      seq: 0,
      attempt: 0,
      attempts: [],
      queuedAt: suiteRun.queuedAt,
      modified: suiteRun.queuedAt,
      triggeredBy: { type: 'suite' },
      suiteRunId: suiteRun._id,
      position,
      expiresAt: suiteRun.expiresAt,
    };
  });
  return { testRuns, missing, archived };
}
