import type { Run } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { queryOf } from '#src/db/runs/list-runs.js';

const MAX_TIME_MS = 2000;
/** Only this many of a project's newest runs are searched: there may be no call among a million runs. */
export const SCANNED_RUNS = 1000;

/** A run triggered by a webhook. */
export type WebhookCall = Pick<Run, '_id' | 'kind' | 'targetId' | 'targetName' | 'status' | 'queuedAt'>;

/**
 * The latest calls of a project's webhooks that triggered a run, newest first.
 * @throws the driver's error when the database does not answer in time
 */
export function latestWebhookCalls(
  { runs }: Pick<Collections, 'runs'>,
  projectId: string,
  max: number,
): Promise<WebhookCall[]> {
  const { filter, hint } = queryOf({ projectIds: [projectId] });
  return runs
    .aggregate<WebhookCall>(
      [
        { $match: filter },
        { $sort: { queuedAt: -1, _id: -1 } },
        { $limit: SCANNED_RUNS },
        { $match: { 'triggeredBy.type': 'webhook' } },
        { $limit: max },
        { $project: { kind: 1, targetId: 1, targetName: 1, status: 1, queuedAt: 1 } },
      ],
      { hint, maxTimeMS: MAX_TIME_MS },
    )
    .toArray();
}
