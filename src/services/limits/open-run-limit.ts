import type { OpenRunCounter } from '#src/db/runs/count-open-runs.js';

/** How old a count may be before there is another in the background, in ms: far from the limit, and in the upper half. */
const FAR_MS = 2000;
const HALF_MS = 250;
/** What one server lets through on one count: this part of the room that it saw. Others do so at the same time. */
const SHARE = 0.1;
/** From this part of the limit on each trigger waits for a count of its own moment. */
const NEAR = 0.9;

/** How many runs of one project are open, or of one suite are waiting, as far as this server knows. */
export interface OpenRunLimit {
  /**
   * @returns whether one more may be started; it then counts as open, until `end` says otherwise
   * @throws the driver's error when the count is needed and the database does not answer
   */
  take(limit: number): Promise<boolean>;
  /** What `take` let through is on record, or was not started after all. */
  end(isOnRecord: boolean): void;
}

/**
 * Counts in the background, more often in the upper half of the limit; before the answer near the limit, at the first
 * trigger, and when a count's share is used up. What this server has let through since the count was sent is added to it.
 * @param id what `count` is asked about
 */
export function createOpenRunLimit(id: string, count: OpenRunCounter): OpenRunLimit {
  let known: { open: number; at: number } | undefined;
  /** Let through and not on record yet: a count may see them or not. */
  let underWay = 0;
  /** What the last count, and the one under way, may not have seen. */
  let unseen = 0;
  let unseenBySent = 0;
  let counting: Promise<void> | undefined;

  const recount = (limit: number) => (counting ??= countNow(limit).finally(() => (counting = undefined)));

  async function countNow(limit: number): Promise<void> {
    const at = performance.now();
    unseenBySent = underWay;
    const open = await count(id, limit);
    known = { open, at };
    unseen = unseenBySent;
  }

  const total = () => (known?.open ?? 0) + unseen;
  const age = () => (known ? performance.now() - known.at : Infinity);

  /** Whether one more may be let through without another count. */
  const isSure = (limit: number) =>
    known !== undefined && total() < NEAR * limit && unseen < (limit - known.open) * SHARE;

  async function refresh(limit: number): Promise<void> {
    if (known && total() >= limit && age() < HALF_MS) return;
    if (!isSure(limit)) {
      // One that was sent before this trigger does not tell of its moment.
      await counting;
      return recount(limit);
    }
    if (age() > (total() >= limit / 2 ? HALF_MS : FAR_MS)) recount(limit).catch(() => {});
  }

  return {
    async take(limit) {
      await refresh(limit);
      if (total() >= limit) return false;
      underWay++;
      unseen++;
      unseenBySent++;
      return true;
    },
    end(isOnRecord) {
      underWay--;
      if (isOnRecord) return;
      unseen = Math.max(0, unseen - 1);
      unseenBySent = Math.max(0, unseenBySent - 1);
    },
  };
}
