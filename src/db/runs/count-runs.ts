import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';

const KEEP_MS = 15_000;

/** Runs on record by status, for metrics: counted at most every 15 s, however often it is scraped. */
export function createRunCounter({ runs }: Collections): () => Promise<Partial<Record<RunStatus, number>>> {
  let counted: Promise<Partial<Record<RunStatus, number>>> | undefined;
  let until = 0;
  const count = async () => {
    const groups = await runs
      .aggregate<{ _id: RunStatus; count: number }>([{ $group: { _id: '$status', count: { $sum: 1 } } }], {
        maxTimeMS: 2500,
        hint: 'status',
      })
      .toArray();
    return Object.fromEntries(groups.map((group) => [group._id, group.count]));
  };
  return () => {
    if (!counted || Date.now() > until) {
      until = Date.now() + KEEP_MS;
      counted = count();
      // A failed count is asked for again by the next scrape.
      counted.catch(() => (counted = undefined));
    }
    return counted;
  };
}
