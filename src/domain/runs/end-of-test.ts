import type { AttemptVerdict, RunEnd, TestRun } from './run.js';

/**
 * How a started test run ends with its suite run: with its last verdict if it waited for the suite's next pass, else
 * `stopped`.
 */
export function endOfBegun({ status, attempts }: Pick<TestRun, 'status' | 'attempts'>): RunEnd {
  const verdict = attempts.at(-1)?.verdict;
  return status === 'auto_retrying' && verdict ? endOfVerdict(verdict) : { status: 'stopped' };
}

function endOfVerdict({ status, errorCode, errorMessage }: AttemptVerdict): RunEnd {
  return { status, ...(errorCode ? { errorCode } : {}), ...(errorMessage ? { errorMessage } : {}) };
}
