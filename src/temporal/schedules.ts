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

/** @param ms interval; passes are skipped while one is running */
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

/** Creates the maintenance schedules, and updates those that differ; a paused one stays paused. */
export async function upsertSchedules(temporal: InstallationTemporal): Promise<void> {
  for (const schedule of schedulesOf(temporal)) await upsert(temporal, schedule);
}

/** Whether the schedules exist; they do not after Temporal has lost its data. @throws when Temporal does not respond */
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

async function upsert({ client, connection }: InstallationTemporal, schedule: Schedule): Promise<void> {
  try {
    await withinDeadline(connection, CALL_MS, () => client.schedule.create(schedule));
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(schedule.scheduleId);
    const found = await withinDeadline(connection, CALL_MS, () => handle.describe());
    if (isUpToDate(found, schedule)) return;
    const { spec, policies, action } = schedule;
    await withinDeadline(connection, CALL_MS, () => handle.update(({ state }) => ({ spec, policies, action, state })));
  }
}

function isUpToDate({ spec, policies, action }: ScheduleDescription, expected: Schedule): boolean {
  return (
    spec.intervals?.length === 1 &&
    spec.intervals[0]!.every === expected.spec.intervals[0]!.every &&
    (spec.calendars ?? []).length === 0 &&
    policies.overlap === expected.policies.overlap &&
    policies.catchupWindow === expected.policies.catchupWindow &&
    action.workflowType === expected.action.workflowType &&
    action.workflowId === expected.action.workflowId &&
    action.taskQueue === expected.action.taskQueue &&
    action.workflowExecutionTimeout === expected.action.workflowExecutionTimeout
  );
}
