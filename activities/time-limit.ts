import type { AttemptVerdict } from '#src/domain/runs/run.js';

/** Maximum of setTimeout. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Runs something that ends when its signal is aborted: with the outer signal, or at the time limit.
 * @param timeoutMs in ms
 * @returns its verdict; `TEST_TIMEOUT` when the time limit has ended it
 */
export async function withTimeLimit(
  timeoutMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<AttemptVerdict>,
): Promise<AttemptVerdict> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
  try {
    const verdict = await run(AbortSignal.any([signal, limit.signal]));
    if (verdict.status !== 'stopped' || !limit.signal.aborted || signal.aborted) return verdict;
    const errorMessage = `The test was still running after ${timeoutMs / 1000} s, its timeout, and was stopped. Make it faster, or increase the timeout.`;
    return { ...verdict, status: 'error', errorCode: 'TEST_TIMEOUT', errorMessage };
  } finally {
    clearTimeout(timer);
  }
}
