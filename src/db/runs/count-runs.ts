import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { Collections } from '#src/db/schema/collections.js';

const KEEP_MS = 15_000;

/** Runs by status, for metrics: cached for 15 s. */
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
      // The next scrape retries after a failure.
      counted.catch(() => (counted = undefined));
    }
    return counted;
  };
}
