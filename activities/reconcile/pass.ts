import { Context } from '@temporalio/activity';
import pMap from 'p-map';
import type { RepairKind } from '#src/domain/runs/reconciliation.js';

/** Maximum number of concurrent calls to Temporal. */
const IN_FLIGHT = 20;

/** What one pass of reconcile has done so far. */
export interface Pass {
  counts: Partial<Record<RepairKind, number>>;
  /** Runs that could not be checked or repaired; the next pass tries again. */
  failures: { runId: string; error: unknown }[];
  repaired(kind: RepairKind, howMany?: number): void;
  /**
   * Repairs runs, a few concurrently. A failed run does not end the pass.
   * @throws CancelledFailure when the activity is canceled
   */
  each<T>(items: readonly T[], idOf: (item: T) => string, repair: (item: T) => Promise<void>): Promise<void>;
}

export function beginPass(): Pass {
  const counts: Pass['counts'] = {};
  const failures: Pass['failures'] = [];
  return {
    counts,
    failures,
    repaired(kind, howMany = 1) {
      if (howMany > 0) counts[kind] = (counts[kind] ?? 0) + howMany;
    },
    async each(items, idOf, repair) {
      const { cancellationSignal, heartbeat } = Context.current();
      const repairUnlessEnded = async (item: (typeof items)[number]) => {
        if (cancellationSignal.aborted) return;
        heartbeat();
        await repair(item).catch((error: unknown) => void failures.push({ runId: idOf(item), error }));
      };
      await pMap(items, repairUnlessEnded, { concurrency: IN_FLIGHT });
      cancellationSignal.throwIfAborted();
    },
  };
}
