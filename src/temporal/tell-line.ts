import { lineOf, type Arrival } from '#workflows/messages.js';
import type { suiteLine } from '#workflows/index.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 10_000;

/**
 * Tells a suite's line that a run asks for its turn; starts the line when it is not there. May be repeated.
 * @param queue the workflow queue of the run
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function tellLine(
  { client, connection }: Temporal,
  queue: string,
  suiteId: string,
  arrival: Arrival,
): Promise<void> {
  await withinDeadline(connection, CALL_MS, () =>
    client.workflow.signalWithStart('suiteLine' satisfies (typeof suiteLine)['name'], {
      workflowId: lineOf(queue, suiteId),
      taskQueue: queue,
      args: [suiteId],
      signal: 'arrived',
      signalArgs: [arrival],
    }),
  );
}
