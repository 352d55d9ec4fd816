import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 1500;
/** temporal.api.enums.v1.TaskQueueType */
const TYPES = { workflow: 1, activity: 2 };

/** What Temporal knows of a task queue. */
export interface QueueState {
  /** Who asked it for work lately. A busy worker does not ask; one that died is in it for five minutes. */
  pollers: { identity: string; lastSeenAt?: Date }[];
  /** Tasks that wait, roughly. */
  backlog: number;
}

/**
 * The pollers of a task queue, and how much waits in it.
 * @throws TemporalDeadlineError or the SDK's errors
 */
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
  };
}
