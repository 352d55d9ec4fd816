import pTimeout from 'p-timeout';

/**
 * Waits for a result, but not forever.
 * @param ms milliseconds
 * @param what what is waited for, for the error
 * @throws TimeoutError when it takes longer (its own result is then ignored), or what `work` throws
 */
export function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  return pTimeout(work, { milliseconds: ms, message: `${what} took longer than ${ms / 1000} s` });
}
