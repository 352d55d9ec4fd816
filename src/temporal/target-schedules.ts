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

/** Ids of the installation's schedules in Temporal, and of the workflows that they start, begin with this. */
const prefixOf = ({ installationId }: Names) => `${workflowQueue(installationId)}-schedule-`;

/** What Temporal makes of a schedule. Its note says which state of ours it is, in words and for `shownSchedules`. */
export function optionsOf(names: Names, { _id, name, revision, definition }: Schedule) {
  const { cron, timeZone, paused, catchUpMs } = definition;
  return {
    scheduleId: `${prefixOf(names)}${_id}`,
    spec: cronSpec(cron, timeZone),
    // Whether runs may overlap is the suite's to say.
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

/** `Nightly (Runhook's revision 3: change it there)` */
function noteOf({ name, revision }: Pick<Schedule, 'name' | 'revision'>): string {
  return `${name.slice(0, 120)} (revision ${revision}; change it in Runhook)`;
}

/** A schedule as Temporal lists it. */
export interface ShownSchedule {
  paused: boolean;
  note: string;
}

/** Whether Temporal shows the state that we have. */
export function isAsWanted(shown: ShownSchedule | undefined, schedule: Schedule): boolean {
  return shown !== undefined && shown.paused === schedule.definition.paused && shown.note === noteOf(schedule);
}

/** Ours, by their ids here, from Temporal's visibility: a moment behind the truth. @throws when Temporal does not answer */
export async function shownSchedules(temporal: InstallationTemporal): Promise<Map<string, ShownSchedule>> {
  const { client, connection } = temporal;
  const prefix = prefixOf(temporal);
  const shown = new Map<string, ShownSchedule>();
  // The deadline is each call's: a page is one.
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
 * Makes a schedule in Temporal, or changes the one that is there. Idempotent.
 * @throws when Temporal does not answer, or does not take it (see `isRefusal`)
 */
export async function putSchedule(temporal: InstallationTemporal, schedule: Schedule): Promise<void> {
  const { client, connection } = temporal;
  const { scheduleId, ...wanted } = optionsOf(temporal, schedule);
  const handle = client.schedule.getHandle(scheduleId);
  try {
    await withinDeadline(connection, CALL_MS, () => handle.update(() => wanted));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await withinDeadline(connection, CALL_MS, () => client.schedule.create({ scheduleId, ...wanted })).catch(
      (error: unknown) => {
        // Somebody was quicker; should it be another state, the next look sees it.
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      },
    );
  }
}

/** Safe to repeat. @throws when Temporal does not answer */
export async function removeSchedule(temporal: InstallationTemporal, id: string): Promise<void> {
  const { client, connection } = temporal;
  const handle = client.schedule.getHandle(`${prefixOf(temporal)}${id}`);
  await withinDeadline(connection, CALL_MS, () => handle.delete()).catch((error: unknown) => {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  });
}

/** Temporal is there, and takes this one not: a time zone that it does not know. */
export function isRefusal(error: unknown): boolean {
  // What the SDK makes of gRPC's INVALID_ARGUMENT here.
  return error instanceof TypeError;
}
