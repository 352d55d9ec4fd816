import pTimeout from 'p-timeout';

/**
 * Reads a value for a page that shows what is available.
 * @param ms deadline in milliseconds
 * @returns undefined when the read fails or misses the deadline
 */
export async function readWithin<T>(ms: number, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await pTimeout(read(), { milliseconds: ms, message: false });
  } catch {
    return undefined;
  }
}
