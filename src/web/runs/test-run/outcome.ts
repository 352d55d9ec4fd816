import type { TestRun } from '#src/domain/runs/run.js';
import type { TestRunOutcome } from '#src/web/components/live/test-run-state.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { shownArtifacts } from '#src/web/runs/artifacts/route.js';
import { shownCases } from '#src/web/runs/cases/route.js';

/** What a test run has left so far, for its page: steps and cases are asked for only where it may have some. */
export async function outcomeOf(
  runs: Pick<RouteDeps['runs'], 'artifacts' | 'cases' | 'steps'>,
  run: TestRun,
  attempt: number | undefined,
): Promise<TestRunOutcome> {
  const [steps, cases, artifacts] = await Promise.all([
    runs.steps(run, attempt),
    shownCases(runs, run),
    shownArtifacts(runs, run._id),
  ]);
  return { steps, cases, artifacts };
}
