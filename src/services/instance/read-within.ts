import pTimeout from 'p-timeout';

/**
 * What a look at something finds, for a page that shows what it can: undefined when it fails or takes longer.
 * @param ms milliseconds
 */
export async function readWithin<T>(ms: number, look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await pTimeout(look(), { milliseconds: ms, message: false });
  } catch {
    // Shown as what is not known.
    return undefined;
  }
}
