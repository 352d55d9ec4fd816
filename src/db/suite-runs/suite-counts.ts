import type { Collection } from 'mongodb';
import { statusCounts, type RunStatus, type StatusCounts } from '#src/domain/runs/run-status.js';
import type { Run } from '#src/domain/runs/run.js';

/** Counts a suite's test runs by status. @param maxTimeMS set when a caller waits */
export async function countTestRuns(
  runs: Collection<Run>,
  suiteRunId: string,
  options: { maxTimeMS?: number } = {},
): Promise<StatusCounts> {
  const groups = await runs
    .aggregate<{
      _id: RunStatus;
      count: number;
    }>([{ $match: { suiteRunId } }, { $group: { _id: '$status', count: { $sum: 1 } } }], {
      hint: 'suite_tests',
      ...options,
    })
    .toArray();
  return statusCounts(Object.fromEntries(groups.map(({ _id, count }) => [_id, count])));
}
