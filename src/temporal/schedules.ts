import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleDescription,
  type ScheduleOptions,
} from '@temporalio/client';
import { workflowQueue } from '#workflows/messages.js';
import type { reconcileRuns, removeExpiredRuns } from '#workflows/index.js';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 10_000;
const MINUTE = 60_000;

type Job = typeof reconcileRuns | typeof removeExpiredRuns;

/** @param ms how often, in ms. A pass that takes longer leaves out the next ones. */
const every = (ms: number, taskQueue: string, job: string, workflowType: Job['name'], timeoutMs: number) =>
  ({
    scheduleId: `${taskQueue}-${job}`,
    spec: { intervals: [{ every: ms }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: MINUTE },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: `${taskQueue}-${job}`,
      taskQueue,
      args: [],
      workflowExecutionTimeout: timeoutMs,
    },
  }) satisfies ScheduleOptions;

type Schedule = ReturnType<typeof every>;

function schedulesOf({ installationId }: InstallationTemporal): Schedule[] {
  const queue = workflowQueue(installationId);
  const [reconcile, retention] = [
    'reconcileRuns' satisfies (typeof reconcileRuns)['name'],
    'removeExpiredRuns' satisfies (typeof removeExpiredRuns)['name'],
  ] as const;
  return [
    every(MINUTE, queue, 'reconcile', reconcile, 40 * MINUTE),
    every(10 * MINUTE, queue, 'retention', retention, 70 * MINUTE),
  ];
}

/** Makes the schedules, and changes those that differ from what they should be; a paused one stays paused. */
export async function putSchedules(temporal: InstallationTemporal): Promise<void> {
  for (const schedule of schedulesOf(temporal)) await put(temporal, schedule);
}

/** Whether the schedules are there; not so after Temporal has lost its data. @throws when Temporal does not answer */
export async function hasSchedules(temporal: InstallationTemporal): Promise<boolean> {
  const { client, connection } = temporal;
  try {
    for (const { scheduleId } of schedulesOf(temporal))
      await withinDeadline(connection, CALL_MS, () => client.schedule.getHandle(scheduleId).describe());
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

async function put({ client, connection }: InstallationTemporal, schedule: Schedule): Promise<void> {
  try {
    await withinDeadline(connection, CALL_MS, () => client.schedule.create(schedule));
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(schedule.scheduleId);
    const found = await withinDeadline(connection, CALL_MS, () => handle.describe());
    if (isAsWanted(found, schedule)) return;
    const { spec, policies, action } = schedule;
    await withinDeadline(connection, CALL_MS, () => handle.update(({ state }) => ({ spec, policies, action, state })));
  }
}

function isAsWanted({ spec, policies, action }: ScheduleDescription, wanted: Schedule): boolean {
  return (
    spec.intervals?.length === 1 &&
    spec.intervals[0]!.every === wanted.spec.intervals[0]!.every &&
    (spec.calendars ?? []).length === 0 &&
    policies.overlap === wanted.policies.overlap &&
    policies.catchupWindow === wanted.policies.catchupWindow &&
    action.workflowType === wanted.action.workflowType &&
    action.workflowId === wanted.action.workflowId &&
    action.taskQueue === wanted.action.taskQueue &&
    action.workflowExecutionTimeout === wanted.action.workflowExecutionTimeout
  );
}
