import { ApplicationFailure, Context } from '@temporalio/activity';
import type { RunStatusStore } from '../src/db/run-status.js';
import type { SuiteRunStore } from '../src/db/suite-runs.js';
import { runIdOfPosition } from '../src/domain/ids.js';
import type { RunEnd, SuiteRun, TestRun } from '../src/domain/run.js';
import { isTerminal, suiteStatus, type TerminalStatus } from '../src/domain/run-status.js';
import type { SuiteTest } from '../workflows/messages.js';

export interface SuiteActivities {
  /** Writes the suite's test runs, all `queued`. `over`: the suite run had ended before it began. */
  expandSuite(input: { runId: string }): Promise<{ total: number; over: boolean }>;
  /** A page of the suite's tests, in order. */
  listSuiteTests(input: { runId: string; from: number; limit: number }): Promise<SuiteTest[]>;
  /** Ends what is left of the suite's tests and the suite itself. `end`: its end is not what its tests say. */
  finishSuite(input: { runId: string; stopped: boolean; end?: RunEnd }): Promise<{ status: TerminalStatus }>;
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
      if (!suiteRun) throw ApplicationFailure.nonRetryable('The record of this suite run is gone', 'RunGone');
      if (isTerminal(suiteRun.status)) return { total: 0, over: true };
      const testRuns = await testRunsOf(suiteRuns, suiteRun);
      await suiteRuns.insertTestRuns(testRuns, () => Context.current().heartbeat());
      await statuses.beginSuite(runId);
      return { total: testRuns.length, over: false };
    },

    async listSuiteTests({ runId, from, limit }) {
      const testRuns = await suiteRuns.listTestRuns(runId, from, limit);
      return testRuns.map((run) => ({
        runId: run._id,
        targetId: run.targetId,
        name: run.targetName,
        pool: run.definition.pool,
        timeoutMs: run.definition.timeoutMs,
        retries: run.definition.retries,
      }));
    },

    async finishSuite({ runId, stopped, end }) {
      await suiteRuns.endOpenTestRuns(runId, (begun) => ({ status: begun ? 'stopped' : 'skipped' }));
      const counts = await suiteRuns.count(runId);
      const { status } = await statuses.endSuite(runId, {
        ...(end ?? { status: suiteStatus(counts, stopped) }),
        counts,
      });
      return { status: status as TerminalStatus };
    },
  };
}

/** The same records each time: ids and order are derived from the suite run and the position. */
async function testRunsOf(suiteRuns: SuiteRunStore, suiteRun: SuiteRun): Promise<TestRun[]> {
  const tests = await suiteRuns.testsOf(suiteRun);
  const present = suiteRun.definition.tests.filter((testId) => tests.has(testId));
  return present.map((testId, position) => {
    const { name, definition, revision } = tests.get(testId)!;
    return {
      _id: runIdOfPosition(suiteRun._id, position),
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
}
