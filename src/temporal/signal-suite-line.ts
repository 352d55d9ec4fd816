import { lineOf, type Arrival } from '#workflows/messages.js';
import type { suiteLine } from '#workflows/index.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 10_000;

/**
 * Signals the arrival of a run to its suite's line workflow, and starts the workflow if necessary. Safe to repeat.
 * @param queue the workflow queue of the run
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function signalSuiteLine(
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
