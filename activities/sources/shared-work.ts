/** Work that those share who want the same at the same time. */
export type SharedWork<T> = (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Work for a key that is under way is joined. It is aborted when the last of its callers has gone; that one waits until it
 * has ended, so that nothing of it outlives its caller.
 */
export function createSharedWork<T>(): SharedWork<T> {
  const underWay = new Map<string, { result: Promise<T>; stop: AbortController; callers: number }>();

  return async (key, signal, work) => {
    signal.throwIfAborted();
    let shared = underWay.get(key);
    if (!shared) {
      const stop = new AbortController();
      const begun = { result: work(stop.signal), stop, callers: 0 };
      const forget = () => underWay.get(key) === begun && underWay.delete(key);
      begun.result.then(forget, forget);
      underWay.set(key, (shared = begun));
    }
    const { result, stop } = shared;
    shared.callers++;
    let leave = () => {};
    const gone = new Promise<never>((_, reject) => (leave = () => reject(signal.reason as Error)));
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([result, gone]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (--shared.callers === 0 && signal.aborted) {
        if (underWay.get(key) === shared) underWay.delete(key);
        stop.abort();
        await result.catch(() => {});
      }
    }
  };
}
