import type { Run } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import { queryOf } from '#src/db/runs/list-runs.js';

const MAX_TIME_MS = 2000;
/** Calls are looked for among so many of a project's newest runs: it may have none among a million. */
export const LOOKED_AT = 1000;

/** A run that a webhook has started. */
export type WebhookCall = Pick<Run, '_id' | 'kind' | 'targetId' | 'targetName' | 'status' | 'queuedAt'>;

/**
 * The latest calls of a project's webhooks that started a run, newest first.
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
        { $limit: LOOKED_AT },
        { $match: { 'triggeredBy.type': 'webhook' } },
        { $limit: max },
        { $project: { kind: 1, targetId: 1, targetName: 1, status: 1, queuedAt: 1 } },
      ],
      { hint, maxTimeMS: MAX_TIME_MS },
    )
    .toArray();
}
