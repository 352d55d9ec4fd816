import type { TestRun } from '../../../../domain/run.js';
import type { TestRunOutcome } from '../../../../web/components/live/test-run-state.js';
import type { RouteDeps } from '../../../context.js';
import { shownArtifacts } from './artifacts.js';
import { shownCases } from './cases.js';

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
