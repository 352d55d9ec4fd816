/** Runs work with limited concurrency, fairly between owners. */
export interface FairQueue {
  /**
   * Runs work as soon as a slot is free. The next slot goes to the waiting owner that was served least recently. An
   * owner never has two slots, so one with much work only delays itself.
   * @throws the signal's reason if it is aborted before the work starts; the work's error
   */
  run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** @param slots maximum concurrency */
export function createFairQueue(slots: number): FairQueue {
  /** Callbacks that start the work of each owner, in the order of the next turns. */
  const waiting = new Map<string, (() => void)[]>();
  const busy = new Set<string>();

  function beginNext(): void {
    while (busy.size < slots) {
      const next = [...waiting].find(([owner]) => !busy.has(owner));
      if (!next) return;
      const [owner, [begin]] = next;
      remove(owner, begin!);
      busy.add(owner);
      begin!();
    }
  }

  function remove(owner: string, begin: () => void): void {
    const rest = waiting.get(owner)!.filter((other) => other !== begin);
    if (rest.length > 0) waiting.set(owner, rest);
    else waiting.delete(owner);
  }

  function end(owner: string): void {
    busy.delete(owner);
    const ownWork = waiting.get(owner);
    if (ownWork) {
      // Moves the owner to the end.
      waiting.delete(owner);
      waiting.set(owner, ownWork);
    }
    beginNext();
  }

  return {
    async run(owner, signal, work) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = () => {
          remove(owner, begin);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.set(owner, [...(waiting.get(owner) ?? []), begin]);
        beginNext();
      });
      try {
        return await work();
      } finally {
        end(owner);
      }
    },
  };
}
