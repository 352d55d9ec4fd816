import type { OpenRunStore } from '#src/db/runs/open-run-store.js';
import type { OpenRun } from '#src/domain/runs/reconciliation.js';
import type { Pass } from './pass.js';

export interface SuiteClosingDeps {
  openRuns: Pick<OpenRunStore, 'ofSuite'>;
  /** Ids of the workflows of the suite's tests, open or not, as far as visibility lists them. */
  childrenOf(suiteRunId: string): Promise<Set<string>>;
  /** Ends all pending tests of the suite as `skipped`, except these. @returns how many */
  skipWaiting(suiteRunId: string, except: readonly string[]): Promise<number>;
  /** Repairs a test whose suite is over. */
  repairTest(test: OpenRun): Promise<void>;
}

/**
 * Ends the tests of a suite that is over: each as its own workflow requires, running ones by a cancellation. Pending
 * tests first: after that no test can start, so no running test is missed although visibility can lag.
 * @returns whether all have ended; otherwise the suite is left for the next pass
 * @throws when one of them could not be ended
 */
export async function closeTests(deps: SuiteClosingDeps, pass: Pass, suiteRunId: string): Promise<boolean> {
  const children = await deps.childrenOf(suiteRunId);
  pass.repaired('skipped', await deps.skipWaiting(suiteRunId, [...children]));
  const failuresBefore = pass.failures.length;
  await pass.each(await deps.openRuns.ofSuite(suiteRunId), ({ _id }) => _id, deps.repairTest);
  if (pass.failures.length > failuresBefore) throw new Error('Some of its tests could not be ended');
  // The workflow of a started test may be missing for the first time.
  return (await deps.openRuns.ofSuite(suiteRunId)).length === 0;
}
