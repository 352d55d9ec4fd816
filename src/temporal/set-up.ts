import { isGrpcServiceError, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { searchAttributes, WORKFLOW_QUEUE } from '../../workflows/messages.js';
import type { reconcileRuns } from '../../workflows/index.js';
import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 10_000;
/** gRPC status code. */
const ALREADY_EXISTS = 6;
/** temporal.api.enums.v1.IndexedValueType */
const KEYWORD = 2;
const VISIBLE_WITHIN_MS = 60_000;
const RECONCILE_SCHEDULE = 'runhook-reconcile';

/**
 * Checks the namespace, registers the search attributes and creates the schedules. Safe to repeat.
 * @throws an error that says what is missing and what to do
 */
export async function setUpTemporal(temporal: Temporal): Promise<void> {
  await checkNamespace(temporal);
  await addSearchAttributes(temporal);
  await createReconcileSchedule(temporal);
}

async function checkNamespace({ connection, namespace }: Temporal): Promise<void> {
  try {
    await withinDeadline(connection, CALL_MS, () => connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    throw new Error(
      `Temporal's namespace "${namespace}" cannot be used. Check TEMPORAL_ADDRESS, or create the namespace: temporal operator namespace create ${namespace}`,
      { cause: error },
    );
  }
}

async function listedAttributes({ connection, namespace }: Temporal): Promise<Set<string>> {
  const { customAttributes } = await withinDeadline(connection, CALL_MS, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return new Set(Object.keys(customAttributes ?? {}));
}

async function addSearchAttributes(temporal: Temporal): Promise<void> {
  const { connection, namespace } = temporal;
  const names = Object.values(searchAttributes).map((key) => key.name);
  const missing = async () => {
    const listed = await listedAttributes(temporal);
    return names.filter((name) => !listed.has(name));
  };
  const wanted = await missing();
  if (wanted.length === 0) return;
  await withinDeadline(connection, CALL_MS, () =>
    connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(wanted.map((name) => [name, KEYWORD])),
    }),
  ).catch((error: unknown) => {
    if (!(isGrpcServiceError(error) && (error.code as number) === ALREADY_EXISTS)) throw error;
  });
  // A start that comes before the servers know them is refused.
  for (const deadline = Date.now() + VISIBLE_WITHIN_MS; (await missing()).length > 0;) {
    if (Date.now() > deadline) throw new Error(`Temporal does not list the search attributes ${wanted.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function createReconcileSchedule({ client, connection }: Temporal): Promise<void> {
  try {
    await withinDeadline(connection, CALL_MS, () =>
      client.schedule.create({
        scheduleId: RECONCILE_SCHEDULE,
        spec: { intervals: [{ every: '1m' }] },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
        action: {
          type: 'startWorkflow',
          workflowType: 'reconcileRuns' satisfies (typeof reconcileRuns)['name'],
          workflowId: 'runhook-reconcile',
          taskQueue: WORKFLOW_QUEUE,
          args: [],
          workflowExecutionTimeout: '10m',
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
