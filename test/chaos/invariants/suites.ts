import { RUN_STATUSES, statusCounts } from '../../../src/domain/run-status.js';
import type { TestRun } from '../../../src/domain/run.js';
import type { Evidence, Violation } from '../evidence.js';
import { knownSuiteRun } from '../known-runs.js';

/** A suite has a test run for each of its tests, once, and its counts say what they say. */
export function checkSuites({ runs }: Evidence): Violation[] {
  const children = new Map<string, TestRun[]>();
  for (const run of runs)
    if (run.kind === 'test' && run.suiteRunId)
      children.set(run.suiteRunId, [...(children.get(run.suiteRunId) ?? []), run]);

  return runs.flatMap((run) => {
    if (run.kind !== 'suite') return [];
    const tests = children.get(run._id) ?? [];
    const positions = tests.map(({ position }) => position!).sort((a, b) => a - b);
    const wanted = knownSuiteRun(run.targetName)!.tests.map((_, position) => position);
    const counted = statusCounts();
    for (const { status } of tests) counted[status]++;
    const violations: Violation[] = [];
    if (positions.join() !== wanted.join())
      violations.push(broken(run._id, `${run.targetName} has tests ${positions.join()} instead of ${wanted.join()}`));
    const different = RUN_STATUSES.filter((status) => (run.counts?.[status] ?? 0) !== counted[status]);
    for (const status of different)
      violations.push(
        broken(run._id, `${run.targetName} counts ${run.counts?.[status] ?? 0} ${status}, has ${counted[status]}`),
      );
    return violations;
  });
}

const broken = (runId: string, detail: string): Violation => ({
  rule: "a suite's counts agree with its tests",
  detail,
  runId,
});
