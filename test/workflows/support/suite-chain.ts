import type { Client, WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

type Events = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>;

/** The histories of a workflow that has continued as new, first run first. */
export async function chainOf(client: Client, workflowId: string): Promise<Events[]> {
  const chain: Events[] = [];
  for (let runId: string | undefined, isLast = true; isLast || runId; isLast = false) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    chain.unshift(events ?? []);
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined;
  }
  return chain;
}

/** The first run of a workflow that has continued as new. */
export async function firstRunOf(client: Client, { workflowId }: WorkflowHandle): Promise<WorkflowHandle> {
  const [first] = await chainOf(client, workflowId);
  const runId = first?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId;
  return client.workflow.getHandle(workflowId, runId ?? undefined);
}

/** Summarizes a suite's histories: run ids in the order of their start, and the maximum of concurrent tests. */
export function testsOf(chain: Events[]): { started: string[]; most: number } {
  const started: string[] = [];
  const inFlight = new Set<string>();
  let most = 0;
  for (const event of chain.flat()) {
    const initiated = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId;
    if (initiated) {
      started.push(initiated);
      most = Math.max(most, inFlight.add(initiated).size);
    }
    const ended =
      event.childWorkflowExecutionCompletedEventAttributes ??
      event.childWorkflowExecutionCanceledEventAttributes ??
      event.childWorkflowExecutionTerminatedEventAttributes;
    if (ended) inFlight.delete(ended.workflowExecution!.workflowId!);
    const { signalName, input } = event.workflowExecutionSignaledEventAttributes ?? {};
    if (signalName === 'testEnded')
      inFlight.delete(defaultPayloadConverter.fromPayload<{ runId: string }>(input!.payloads![0]!).runId);
  }
  return { started, most };
}
