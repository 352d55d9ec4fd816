import { RUN_STATUSES, statusCounts } from '#src/domain/runs/run-status.js';
import type { SuiteRun, TestRun } from '#src/domain/runs/run.js';
import type { Evidence, Violation } from '#test/chaos/evidence.js';
import { knownSuiteRun } from '#test/chaos/load/known-runs.js';

/** A suite has one test run for each of its tests, and its counts match their statuses. */
export function checkSuites({ runs }: Evidence): Violation[] {
  const children = new Map<string, TestRun[]>();
  for (const run of runs)
    if (run.kind === 'test' && run.suiteRunId)
      children.set(run.suiteRunId, [...(children.get(run.suiteRunId) ?? []), run]);

  return runs.flatMap((run) => {
    if (run.kind !== 'suite') return [];
    const tests = children.get(run._id) ?? [];
    const positions = tests.map(({ position }) => position!).sort((a, b) => a - b);
    const expected = knownSuiteRun(run.targetName)!.tests.map((_, position) => position);
    const counted = statusCounts();
    for (const { status } of tests) counted[status]++;
    const violations: Violation[] = [];
    if (positions.join() !== expected.join())
      violations.push(broken(run._id, `${run.targetName} has tests ${positions.join()} instead of ${expected.join()}`));
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

/** Runs of a suite that queues them never overlap. */
export function checkQueues({ runs }: Evidence): Violation[] {
  const begun = runs
    .filter((run): run is SuiteRun & { startedAt: Date } => run.kind === 'suite' && run.startedAt !== undefined)
    .filter(({ definition }) => definition.overlap === 'queue')
    .sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
  return begun.flatMap((run, index): Violation[] => {
    const before = begun.slice(0, index).findLast(({ targetId }) => targetId === run.targetId);
    if (!before || (before.endedAt && before.endedAt <= run.startedAt)) return [];
    const detail = `${run.targetName} began ${run.startedAt.toISOString()}, ${before._id} ended ${before.endedAt?.toISOString()}`;
    return [{ rule: 'a suite that queues runs once at a time', detail, runId: run._id }];
  });
}
