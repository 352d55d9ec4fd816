import type { RunEnd } from './run.js';
import { suiteStatus, type StatusCounts } from './run-status.js';

/** @param wasStopped the suite run itself was stopped */
export function endOfSuite(counts: StatusCounts, wasStopped: boolean): RunEnd {
  const status = suiteStatus(counts, wasStopped);
  const isEmpty = Object.values(counts).every((count) => count === 0);
  return isEmpty && status === 'error' ? { status, ...EMPTY } : { status };
}

const EMPTY: Omit<RunEnd, 'status'> = {
  errorCode: 'SUITE_EMPTY',
  errorMessage: 'This suite has no tests. Add tests to the suite, then run it again.',
};
