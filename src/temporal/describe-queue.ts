import { optionalTsToMs } from '@temporalio/common/lib/time.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 1500;
/** temporal.api.enums.v1.TaskQueueType */
const TYPES = { workflow: 1, activity: 2 };

export interface QueueState {
  /** Recent pollers. A busy worker does not poll; a dead one is listed for five minutes. */
  pollers: { identity: string; lastSeenAt?: Date }[];
  /** Approximate number of waiting tasks. */
  backlog: number;
  /** How long the oldest of them has been waiting; 0 without any. */
  oldestMs: number;
}

/** @throws TemporalDeadlineError or the SDK's errors */
export async function describeQueue(
  { connection, namespace }: Temporal,
  name: string,
  type: keyof typeof TYPES,
): Promise<QueueState> {
  const { pollers, stats } = await withinDeadline(connection, CALL_MS, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: TYPES[type],
      reportStats: true,
    }),
  );
  return {
    pollers: pollers.map(({ identity, lastAccessTime }) => ({
      identity: identity ?? '',
      ...(lastAccessTime?.seconds ? { lastSeenAt: new Date(Number(lastAccessTime.seconds) * 1000) } : {}),
    })),
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    oldestMs: optionalTsToMs(stats?.approximateBacklogAge) ?? 0,
  };
}
