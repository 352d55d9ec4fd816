import { isDeepStrictEqual } from 'node:util';
import { statusCounts, TERMINAL_STATUSES, type RunStatus, type StatusCounts } from '#src/domain/runs/run-status.js';
import type { SuiteRun } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { chunksOf } from '#src/db/targets/definitions.js';
import { GROWN_MODIFIED } from '#src/db/runs/run-status-store.js';

type CountedSuite = Pick<SuiteRun, '_id' | 'modified' | 'counts'>;

/**
 * Corrects the counts of suite runs that are running, or have ended since `endedSince`, from their test runs.
 * @returns how many it changed
 */
export async function recountSuites({ runs }: Pick<Collections, 'runs'>, endedSince: Date): Promise<number> {
  const suites = await suitesOf(runs, endedSince);
  let changed = 0;
  for (const some of chunksOf(suites)) {
    const counted = await countsOf(
      runs,
      some.map(({ _id }) => _id),
    );
    const different = some.filter(
      ({ _id, counts }) => !isDeepStrictEqual({ ...counts }, { ...(counted.get(_id) ?? statusCounts()) }),
    );
    if (different.length === 0) continue;
    const { modifiedCount } = await runs.bulkWrite(
      different.map(({ _id, modified }) => ({
        updateOne: {
          // Guarded: a suite run that has ended meanwhile has written its final counts.
          filter: { _id, modified },
          update: [{ $set: { counts: { $literal: counted.get(_id) ?? statusCounts() }, modified: GROWN_MODIFIED } }],
        },
      })),
      { ordered: false },
    );
    changed += modifiedCount;
  }
  return changed;
}

async function suitesOf(runs: Collections['runs'], endedSince: Date): Promise<CountedSuite[]> {
  // Expired suite runs are left out: retention may be removing their tests.
  const suite = { kind: 'suite' as const, $expr: { $gt: ['$expiresAt', '$$NOW'] } };
  const options = { projection: { modified: 1, counts: 1 }, hint: 'suite_runs' };
  const running = await runs.find({ ...suite, status: 'running' }, options).toArray();
  const ended = await runs
    .find({ ...suite, status: { $in: [...TERMINAL_STATUSES] }, modified: { $gte: endedSince } }, options)
    .toArray();
  return [...running, ...ended] as CountedSuite[];
}

async function countsOf(runs: Collections['runs'], suiteRunIds: string[]): Promise<Map<string, StatusCounts>> {
  const counted = new Map<string, StatusCounts>();
  const groups = runs.aggregate<{ _id: { suite: string; status: RunStatus }; count: number }>(
    [
      { $match: { suiteRunId: { $in: suiteRunIds } } },
      { $group: { _id: { suite: '$suiteRunId', status: '$status' }, count: { $sum: 1 } } },
    ],
    { hint: 'suite_tests' },
  );
  for await (const { _id, count } of groups)
    counted.set(_id.suite, { ...(counted.get(_id.suite) ?? statusCounts()), [_id.status]: count });
  return counted;
}
