import { lineOf, WORKFLOW_QUEUE, type Arrival } from '../../workflows/messages.js';
import type { suiteLine } from '../../workflows/index.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 10_000;

/**
 * Tells a suite's line that a run asks for its turn; starts the line when it is not there. May be repeated.
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function tellLine({ client, connection }: Temporal, suiteId: string, arrival: Arrival): Promise<void> {
  await withinDeadline(connection, CALL_MS, () =>
    client.workflow.signalWithStart('suiteLine' satisfies (typeof suiteLine)['name'], {
      workflowId: lineOf(suiteId),
      taskQueue: WORKFLOW_QUEUE,
      args: [suiteId],
      signal: 'arrived',
      signalArgs: [arrival],
    }),
  );
}
