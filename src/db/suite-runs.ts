import type { StatusCounts } from '../domain/run-status.js';
import { TERMINAL_STATUSES } from '../domain/run-status.js';
import type { RunEnd, SuiteRun, TestRun } from '../domain/run.js';
import type { Collections } from './collections.js';
import { testsAsOf, type TestAsOf } from './definitions.js';
import { ignoreDuplicateKeys } from './duplicate-key.js';
import { countTestRuns } from './suite-counts.js';
import { createRunStatusStore } from './run-status.js';

const BATCH = 1000;

/** A suite run and the test runs that belong to it. */
export interface SuiteRunStore {
  find(id: string): Promise<SuiteRun | undefined>;
  /** The definitions of the suite's tests at the moment of its trigger; archived and unknown ones are absent. */
  testsOf(suiteRun: SuiteRun): Promise<Map<string, TestAsOf>>;
  /** Writes test runs in batches; those that are there already stay as they are. `onBatch` is called after each. */
  insertTestRuns(testRuns: TestRun[], onBatch: () => void): Promise<void>;
  /** The suite's test runs from a position on, in order. */
  listTestRuns(suiteRunId: string, from: number, limit: number): Promise<TestRun[]>;
  /** How many of the suite's test runs have each status. */
  count(suiteRunId: string): Promise<StatusCounts>;
  /** Ends each of the suite's test runs that is not over. `pick` chooses by whether it has begun. */
  endOpenTestRuns(suiteRunId: string, pick: (begun: boolean) => RunEnd): Promise<void>;
}

export function createSuiteRunStore(collections: Collections): SuiteRunStore {
  const { runs } = collections;
  const statuses = createRunStatusStore(runs);

  return {
    async find(id) {
      return ((await runs.findOne({ _id: id, kind: 'suite' })) as SuiteRun | null) ?? undefined;
    },

    testsOf: (suiteRun) => testsAsOf(collections, suiteRun.definition.tests, suiteRun.queuedAt),

    async insertTestRuns(testRuns, onBatch) {
      for (let from = 0; from < testRuns.length; from += BATCH) {
        await runs.insertMany(testRuns.slice(from, from + BATCH), { ordered: false }).catch(ignoreDuplicateKeys);
        onBatch();
      }
    },

    listTestRuns: async (suiteRunId, from, limit) =>
      (await runs
        .find({ suiteRunId, position: { $gte: from, $lt: from + limit } })
        .sort({ position: 1 })
        .toArray()) as TestRun[],

    count: (suiteRunId) => countTestRuns(runs, suiteRunId),

    async endOpenTestRuns(suiteRunId, pick) {
      const open = runs.find(
        { suiteRunId, status: { $nin: [...TERMINAL_STATUSES] } },
        { projection: { status: 1, startedAt: 1 } },
      );
      for await (const run of open) await statuses.endRun(run._id, pick(run.startedAt !== undefined));
    },
  };
}
