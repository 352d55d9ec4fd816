import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { ScheduleOptions } from '@temporalio/client';
import { cronSpec } from '#src/domain/schedules/cron.js';
import type { Schedule } from '#src/domain/schedules/schedule.js';
import { workflowQueue } from '#workflows/messages.js';
import type { scheduledTrigger } from '#workflows/index.js';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const CALL_MS = 5000;
const PAGE = 1000;

type Names = Pick<InstallationTemporal, 'installationId'>;

/** Prefix of the ids of the installation's schedules in Temporal, and of the workflows that they start. */
const prefixOf = ({ installationId }: Names) => `${workflowQueue(installationId)}-schedule-`;

/** Temporal's options for a schedule. The note contains its revision, by which `isUpToDate` compares. */
export function optionsOf(names: Names, { _id, name, revision, definition }: Schedule) {
  const { cron, timeZone, paused, catchUpMs } = definition;
  return {
    scheduleId: `${prefixOf(names)}${_id}`,
    spec: cronSpec(cron, timeZone),
    // Suites define whether runs may overlap.
    policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: catchUpMs, pauseOnFailure: false },
    action: {
      type: 'startWorkflow',
      workflowType: 'scheduledTrigger' satisfies (typeof scheduledTrigger)['name'],
      workflowId: `${prefixOf(names)}${_id}`,
      taskQueue: workflowQueue(names.installationId),
      args: [{ scheduleId: _id }],
    },
    state: { paused, note: noteOf({ name, revision }) },
  } satisfies ScheduleOptions;
}

function noteOf({ name, revision }: Pick<Schedule, 'name' | 'revision'>): string {
  return `${name.slice(0, 120)} (revision ${revision}; change it in Runhook)`;
}

/** A schedule listed by Temporal. */
export interface ShownSchedule {
  paused: boolean;
  note: string;
}

export function isUpToDate(shown: ShownSchedule | undefined, schedule: Schedule): boolean {
  return shown !== undefined && shown.paused === schedule.definition.paused && shown.note === noteOf(schedule);
}

/** The installation's schedules by id, from Temporal's visibility, which is eventually consistent. @throws when Temporal does not respond */
export async function shownSchedules(temporal: InstallationTemporal): Promise<Map<string, ShownSchedule>> {
  const { client, connection } = temporal;
  const prefix = prefixOf(temporal);
  const shown = new Map<string, ShownSchedule>();
  // Each page is a call with its own deadline.
  const pages = client.schedule.list({ pageSize: PAGE })[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await withinDeadline(connection, CALL_MS, () => pages.next());
    if (done) return shown;
    const { scheduleId, state } = value;
    if (!scheduleId.startsWith(prefix)) continue;
    shown.set(scheduleId.slice(prefix.length), { paused: state.paused, note: state.note ?? '' });
  }
}

/**
 * Creates or updates a schedule in Temporal. Idempotent.
 * @throws when Temporal does not respond, or rejects the schedule (see `isRefusal`)
 */
export async function upsertSchedule(temporal: InstallationTemporal, schedule: Schedule): Promise<void> {
  const { client, connection } = temporal;
  const { scheduleId, ...options } = optionsOf(temporal, schedule);
  const handle = client.schedule.getHandle(scheduleId);
  try {
    await withinDeadline(connection, CALL_MS, () => handle.update(() => options));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await withinDeadline(connection, CALL_MS, () => client.schedule.create({ scheduleId, ...options })).catch(
      (error: unknown) => {
        // Just created by another server; if it differs, the next pass updates it.
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      },
    );
  }
}

/** Safe to repeat. @throws when Temporal does not respond */
export async function removeSchedule(temporal: InstallationTemporal, id: string): Promise<void> {
  const { client, connection } = temporal;
  const handle = client.schedule.getHandle(`${prefixOf(temporal)}${id}`);
  await withinDeadline(connection, CALL_MS, () => handle.delete()).catch((error: unknown) => {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  });
}

/** Whether Temporal rejected the schedule, for example for an unknown time zone. */
export function isRefusal(error: unknown): boolean {
  // The SDK throws it for gRPC's INVALID_ARGUMENT.
  return error instanceof TypeError;
}
