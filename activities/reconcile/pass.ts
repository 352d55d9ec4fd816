import { Context } from '@temporalio/activity';
import type { MendingKind } from '../../src/domain/reconciliation.js';
import { inParallel } from '../in-parallel.js';

/** Calls of Temporal at the same time at most. */
const IN_FLIGHT = 20;

/** What one pass of reconcile has done so far. */
export interface Pass {
  counts: Partial<Record<MendingKind, number>>;
  /** What could not be looked at or mended; the next pass tries again. */
  failures: { runId: string; error: unknown }[];
  mended(kind: MendingKind, howMany?: number): void;
  /**
   * Mends run after run, a few at the same time; a run at which it fails does not end the pass.
   * @throws CancelledFailure when the pass is told to end
   */
  each<T>(items: readonly T[], idOf: (item: T) => string, mend: (item: T) => Promise<void>): Promise<void>;
}

export function beginPass(): Pass {
  const counts: Pass['counts'] = {};
  const failures: Pass['failures'] = [];
  return {
    counts,
    failures,
    mended(kind, howMany = 1) {
      if (howMany > 0) counts[kind] = (counts[kind] ?? 0) + howMany;
    },
    each: (items, idOf, mend) =>
      inParallel(items, IN_FLIGHT, async (item) => {
        const context = Context.current();
        context.heartbeat();
        context.cancellationSignal.throwIfAborted();
        await mend(item).catch((error: unknown) => void failures.push({ runId: idOf(item), error }));
      }),
  };
}
