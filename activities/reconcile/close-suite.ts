import type { OpenRunStore } from '../../src/db/open-runs.js';
import type { OpenRun } from '../../src/domain/reconciliation.js';
import type { Pass } from './pass.js';

export interface SuiteClosingDeps {
  openRuns: Pick<OpenRunStore, 'ofSuite'>;
  /** Ids of the workflows of the suite's tests, open or not, as far as Temporal's list has them. */
  childrenOf(suiteRunId: string): Promise<Set<string>>;
  /** Ends all of the suite's tests that wait for their turn as `skipped`, except these. @returns how many */
  skipWaiting(suiteRunId: string, except: readonly string[]): Promise<number>;
  /** Mends one of the tests, as one whose suite is over. */
  mendTest(test: OpenRun): Promise<void>;
}

/**
 * Ends the tests of a suite that is over: each as its own workflow says, those in flight by a cancel. First those that
 * wait: no test can begin after that, so that none in flight is missed although Temporal's list may be behind.
 * @returns whether all have ended; the suite must else be left for the next pass
 * @throws when one of them could not be ended
 */
export async function closeTests(deps: SuiteClosingDeps, pass: Pass, suiteRunId: string): Promise<boolean> {
  const children = await deps.childrenOf(suiteRunId);
  pass.mended('skipped', await deps.skipWaiting(suiteRunId, [...children]));
  const failuresBefore = pass.failures.length;
  await pass.each(await deps.openRuns.ofSuite(suiteRunId), ({ _id }) => _id, deps.mendTest);
  if (pass.failures.length > failuresBefore) throw new Error('Not all of its tests could be ended');
  // The workflow of one that had begun may be missing for the first time.
  return (await deps.openRuns.ofSuite(suiteRunId)).length === 0;
}
