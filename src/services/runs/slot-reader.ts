import QuickLRU from 'quick-lru';
import type { Slot } from '#src/db/suite-runs/suite-slots.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { SuiteRun } from '#src/domain/runs/run.js';

/** A result is cached for this many times the duration of its read. */
const CACHE_FACTOR = 20;
const MIN_CACHE_MS = 2000;
const MAX_CACHED = 50;

interface CacheEntry {
  isFinal: boolean;
  slots: Promise<Slot[]>;
  /** By performance.now(), in ms. */
  until: number;
}

/** Reads which tests ran when in a suite run. Cached for a few seconds, because a large suite makes it expensive. */
export function createSlotReader(read: (suiteRunId: string) => Promise<Slot[]>) {
  const cache = new QuickLRU<string, CacheEntry>({ maxSize: MAX_CACHED });

  return ({ _id, status }: Pick<SuiteRun, '_id' | 'status'>): Promise<Slot[]> => {
    const cached = cache.get(_id);
    const now = performance.now();
    const isFinal = isTerminal(status);
    // A result from before the end of the suite run is not final.
    if (cached?.isFinal === isFinal && now < cached.until) return cached.slots;
    const entry: CacheEntry = { isFinal, slots: read(_id), until: Infinity };
    cache.set(_id, entry);
    entry.slots.then(
      () => (entry.until = performance.now() + Math.max(MIN_CACHE_MS, CACHE_FACTOR * (performance.now() - now))),
      // Do not cache a failure.
      () => (entry.until = 0),
    );
    return entry.slots;
  };
}
