/** Runs work for the same key sequentially, in the order of the calls. */
export type KeyedLock = <T>(key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** @returns a lock that throws the signal's reason when it is aborted before the work starts, or the error of the work */
export function createKeyedLock(): KeyedLock {
  const lasts = new Map<string, Promise<void>>();
  return async (key, signal, work) => {
    const before = lasts.get(key) ?? Promise.resolve();
    let end = () => {};
    const mine = new Promise<void>((resolve) => (end = resolve));
    const last = before.then(() => mine);
    lasts.set(key, last);
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal.reason as Error)));
    try {
      signal.throwIfAborted();
      signal.addEventListener('abort', abort, { once: true });
      await Promise.race([before, aborted]);
      return await work();
    } finally {
      signal.removeEventListener('abort', abort);
      end();
      if (lasts.get(key) === last) lasts.delete(key);
    }
  };
}
