import type { Client, WorkflowHandle } from '@temporalio/client';

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** Size of a closed workflow in Temporal, over all runs of its continue-as-new chain. */
export interface ChainFacts {
  runs: number;
  /** Events of the longest run. */
  longestHistory: number;
  /** In bytes. */
  largestPayload: number;
  /** Duration of the first execution of this activity, in ms. */
  activityMs(type: string): number | undefined;
}

/** Reads the histories from the last run back to the first. */
export async function chainFacts(client: Client, workflowId: string): Promise<ChainFacts> {
  const histories: Event[][] = [];
  let runId: string | undefined;
  do {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.unshift(events!);
    runId = events![0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId || undefined;
  } while (runId);
  const all = histories.flat();
  return {
    runs: histories.length,
    longestHistory: Math.max(...histories.map((events) => events.length)),
    largestPayload: all.reduce((largest, event) => Math.max(largest, largestBytesIn(event)), 0),
    activityMs: (type) => histories.map((events) => activityTime(events, type)).find((ms) => ms !== undefined),
  };
}

function activityTime(events: Event[], type: string): number | undefined {
  const scheduled = events.find((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === type);
  const ofIt = <T extends { scheduledEventId?: unknown }>(pick: (event: Event) => T | null | undefined) =>
    events.find((event) => scheduled && String(pick(event)?.scheduledEventId) === String(scheduled.eventId));
  const started = ofIt((event) => event.activityTaskStartedEventAttributes);
  const completed = ofIt((event) => event.activityTaskCompletedEventAttributes);
  return started && completed && timeOf(completed) - timeOf(started);
}

function timeOf({ eventTime }: Event): number {
  return Number(eventTime!.seconds) * 1000 + eventTime!.nanos! / 1e6;
}

/** Payloads are byte arrays in an event. */
function largestBytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(largestBytesIn));
}
