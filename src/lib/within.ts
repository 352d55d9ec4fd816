import pTimeout from 'p-timeout';

/**
 * Waits for a result with a timeout.
 * @param what description for the error
 * @throws TimeoutError (a later result is ignored), or the error of `work`
 */
export function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  return pTimeout(work, { milliseconds: ms, message: `${what} took longer than ${ms / 1000} s` });
}
