/** Work that concurrent callers with the same key share. */
export type SharedWork<T> = (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Joins work in progress for the same key. The work is aborted when its last caller has left; that caller waits until
 * it has ended, so that it does not outlive its callers.
 */
export function createSharedWork<T>(): SharedWork<T> {
  const inProgress = new Map<string, { result: Promise<T>; stop: AbortController; callers: number }>();

  return async (key, signal, work) => {
    signal.throwIfAborted();
    let shared = inProgress.get(key);
    if (!shared) {
      const stop = new AbortController();
      const started = { result: work(stop.signal), stop, callers: 0 };
      const forget = () => inProgress.get(key) === started && inProgress.delete(key);
      started.result.then(forget, forget);
      inProgress.set(key, (shared = started));
    }
    const { result, stop } = shared;
    shared.callers++;
    let leave = () => {};
    const left = new Promise<never>((_, reject) => (leave = () => reject(signal.reason as Error)));
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (--shared.callers === 0 && signal.aborted) {
        if (inProgress.get(key) === shared) inProgress.delete(key);
        stop.abort();
        await result.catch(() => {});
      }
    }
  };
}
