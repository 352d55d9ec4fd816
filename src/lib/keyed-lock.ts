/** Has work for the same key done one after the other, in the order of the calls. */
export type KeyedLock = <T>(key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** @returns a lock; it throws the signal's reason when that is aborted before the work began, or what the work throws */
export function createKeyedLock(): KeyedLock {
  const lasts = new Map<string, Promise<void>>();
  return async (key, signal, work) => {
    const before = lasts.get(key) ?? Promise.resolve();
    let end = () => {};
    const mine = new Promise<void>((resolve) => (end = resolve));
    const last = before.then(() => mine);
    lasts.set(key, last);
    let leave = () => {};
    const gone = new Promise<never>((_, reject) => (leave = () => reject(signal.reason as Error)));
    try {
      signal.throwIfAborted();
      signal.addEventListener('abort', leave, { once: true });
      await Promise.race([before, gone]);
      return await work();
    } finally {
      signal.removeEventListener('abort', leave);
      end();
      if (lasts.get(key) === last) lasts.delete(key);
    }
  };
}
