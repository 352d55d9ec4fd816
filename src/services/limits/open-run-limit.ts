import type { OpenRunCounter } from '#src/db/runs/count-open-runs.js';

/** Age at which a count is refreshed in the background, in ms: in the lower and in the upper half of the limit. */
const LOWER_HALF_MS = 2000;
const UPPER_HALF_MS = 250;
/** Share of the remaining runs that a server admits per count: other servers admit runs on theirs. */
const SHARE = 0.1;
/** From this share of the limit on, each trigger waits for a new count. */
const NEAR = 0.9;

export type OpenRunLimit = ReturnType<typeof createOpenRunLimit>;

/**
 * Limits the open runs of a project, or the waiting runs of a suite, by this server's latest count. Counts in the
 * background, more often in the upper half of the limit. Waits for the count at the first trigger, near the limit, and
 * when the share of a count is used up. Runs that this server admitted since the count was sent are added.
 * @param id of the project or suite, for `count`
 */
export function createOpenRunLimit(id: string, count: OpenRunCounter) {
  let last: { open: number; at: number } | undefined;
  /** Admitted and not yet recorded: a count may include them or not. */
  let inFlight = 0;
  /** Admitted runs that the last count, and the current one, may not include. */
  let unseen = 0;
  let unseenBySent = 0;
  let counting: Promise<void> | undefined;

  const recount = (limit: number) => (counting ??= countNow(limit).finally(() => (counting = undefined)));

  async function countNow(limit: number): Promise<void> {
    const at = performance.now();
    unseenBySent = inFlight;
    const open = await count(id, limit);
    last = { open, at };
    unseen = unseenBySent;
  }

  const total = () => (last?.open ?? 0) + unseen;
  const age = () => (last ? performance.now() - last.at : Infinity);

  /** Whether one more run may be admitted without a new count. */
  const isSure = (limit: number) =>
    last !== undefined && total() < NEAR * limit && unseen < (limit - last.open) * SHARE;

  async function refresh(limit: number): Promise<void> {
    if (last && total() >= limit && age() < UPPER_HALF_MS) return;
    if (!isSure(limit)) {
      // A count that was sent before this trigger may be outdated.
      await counting;
      return recount(limit);
    }
    if (age() > (total() >= limit / 2 ? UPPER_HALF_MS : LOWER_HALF_MS)) recount(limit).catch(() => {});
  }

  return {
    /**
     * @returns whether one more run may start; it counts as open until `end` reports otherwise
     * @throws the driver's error when a new count is required and the database does not respond
     */
    async admit(limit: number) {
      await refresh(limit);
      if (total() >= limit) return false;
      inFlight++;
      unseen++;
      unseenBySent++;
      return true;
    },
    /** Reports that an admitted run was recorded, or was not started. */
    end(isOnRecord: boolean) {
      inFlight--;
      if (isOnRecord) return;
      unseen = Math.max(0, unseen - 1);
      unseenBySent = Math.max(0, unseenBySent - 1);
    },
  };
}
