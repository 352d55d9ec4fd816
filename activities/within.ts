/** For one call of the database, in ms: more than the driver's own deadlines together. */
export const DATABASE_CALL_MS = 60_000;

/**
 * Waits for a result, but not for ever: the deadline of calls that have none of their own, or one that may fail them.
 * @param ms milliseconds
 * @param what what is waited for, for the error
 * @throws Error when it takes longer (its own result is then ignored), or what `work` throws
 */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
