import QuickLRU from 'quick-lru';
import type { Slot } from '#src/db/suite-runs/suite-slots.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { SuiteRun } from '#src/domain/runs/run.js';

/** The next look comes after this many times what the last one took. */
const PAUSE_FACTOR = 20;
const PAUSE_MIN_MS = 2000;
const MOST_SUITES = 50;

interface Kept {
  isFinal: boolean;
  slots: Promise<Slot[]>;
  /** In ms of performance.now(). */
  until: number;
}

/**
 * Reads who ran when in a suite run. It is much for a large suite: everybody who asks within a few seconds gets the same.
 */
export function createSlotReader(read: (suiteRunId: string) => Promise<Slot[]>) {
  const kept = new QuickLRU<string, Kept>({ maxSize: MOST_SUITES });

  return ({ _id, status }: Pick<SuiteRun, '_id' | 'status'>): Promise<Slot[]> => {
    const before = kept.get(_id);
    const now = performance.now();
    const isFinal = isTerminal(status);
    // What was read before its end is not how it ended.
    if (before?.isFinal === isFinal && now < before.until) return before.slots;
    const entry: Kept = { isFinal, slots: read(_id), until: Infinity };
    kept.set(_id, entry);
    entry.slots.then(
      () => (entry.until = performance.now() + Math.max(PAUSE_MIN_MS, PAUSE_FACTOR * (performance.now() - now))),
      // The next one asks again.
      () => (entry.until = 0),
    );
    return entry.slots;
  };
}
