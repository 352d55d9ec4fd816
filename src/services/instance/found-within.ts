/**
 * What a look at something finds, for a page that shows what it can: undefined when it fails or takes longer.
 * @param ms milliseconds
 */
export async function foundWithin<T>(ms: number, look: () => Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([look(), late]);
  } catch {
    // Shown as what is not known.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
