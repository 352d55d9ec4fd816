/** Work that waits for one of a few places, in turns by whom it is for. */
export interface FairTurns {
  /**
   * Does work when there is a place for it. Of those that wait, the owner is next whose last work ended the longest time ago,
   * with its first. No owner has two places at once: one that asks for much delays its own work.
   * @throws the signal's reason when it is aborted before the work began; what the work throws
   */
  take<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** @param places work at the same time */
export function createFairTurns(places: number): FairTurns {
  /** What begins the work of each owner; the owner who is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  const busy = new Set<string>();

  function beginNext(): void {
    while (busy.size < places) {
      const next = [...waiting].find(([owner]) => !busy.has(owner));
      if (!next) return;
      const [owner, [begin]] = next;
      leave(owner, begin!);
      busy.add(owner);
      begin!();
    }
  }

  function leave(owner: string, begin: () => void): void {
    const left = waiting.get(owner)!.filter((one) => one !== begin);
    if (left.length > 0) waiting.set(owner, left);
    else waiting.delete(owner);
  }

  function end(owner: string): void {
    busy.delete(owner);
    const own = waiting.get(owner);
    if (own) {
      // Behind all the others.
      waiting.delete(owner);
      waiting.set(owner, own);
    }
    beginNext();
  }

  return {
    async take(owner, signal, work) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = () => {
          leave(owner, begin);
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
