import type { Delivery } from '../../src/db/run-status.js';
import type { AttemptVerdict, TestRun } from '../../src/domain/run.js';
import type { Attempt } from '../runners/runner.js';

/**
 * Keeps what an attempt has left in its folder, when its runner is done: the cases of its results, and its artifacts.
 * @returns the verdict with what that has to say: counts, notes, and `failed` for an exit code 0 with cases that failed
 */
export type CollectOutputs = (
  run: TestRun,
  delivery: Delivery,
  attempt: Attempt,
  verdict: AttemptVerdict,
) => Promise<AttemptVerdict>;

export function createOutputCollector(): CollectOutputs {
  return async (_run, _delivery, _attempt, verdict) => verdict;
}
