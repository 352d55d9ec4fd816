import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { ScheduleStore } from '#src/db/schedules/schedule-store.js';
import type { Clock } from '#src/domain/clock.js';
import { isTimeOf } from '#src/domain/schedules/cron.js';
import { ConflictError, TooManyError } from '#src/domain/errors.js';
import { runIdOfScheduleTime } from '#src/domain/ids.js';
import type { TriggeredBy } from '#src/domain/runs/run.js';
import { targetOf, type LastFired, type Schedule } from '#src/domain/schedules/schedule.js';

/** The result of one scheduled time; neither field: the time is no longer valid. */
export type FireResult = Omit<LastFired, 'at'>;

export interface ScheduleActivities {
  /** Starts the run of one scheduled time. Idempotent. @param at the scheduled time, ISO 8601 */
  fireSchedule(input: { scheduleId: string; at: string }): Promise<FireResult>;
}

export interface ScheduleDeps {
  schedules: Pick<ScheduleStore, 'find' | 'noteFired'>;
  isProjectLive(projectId: string): Promise<boolean>;
  /** The name of a variable set of the project; undefined, there is none. */
  variableSetName(projectId: string, profileId: string): Promise<string | undefined>;
  /** As RunTrigger.byApi. */
  trigger(request: {
    projectId: string;
    kind: TargetKind;
    targetId: string;
    triggeredBy: TriggeredBy;
    runId: string;
    profileId?: string;
    profileName?: string;
  }): Promise<{ run: { _id: string }; isNew: boolean }>;
  /** The run that an earlier version started for this time; undefined: none. */
  earlierRunId(schedule: Pick<Schedule, '_id' | 'projectId'>, at: Date): Promise<string | undefined>;
  /** Increments the metrics. @param pass identifies the scheduled time, so that repetitions are not counted */
  report(pass: { pass: string; counts: Record<string, number>; succeeded: boolean }): Promise<void>;
  log(line: { scheduleId: string; at: string; lateMs: number } & FireResult): void;
  /** The database's. */
  clock: Clock;
}

/** Added to the catch-up window: a time within it may have waited briefly for a worker. */
const GRACE_MS = 60_000;

export function createScheduleActivities(deps: ScheduleDeps): ScheduleActivities {
  const { schedules, isProjectLive, variableSetName, trigger, report, log, clock } = deps;
  const lateMs = (at: Date) => clock.now().getTime() - at.getTime();

  /** @throws transient errors: the database or the service is unavailable */
  async function fire({ _id, projectId, name, definition }: Schedule, at: Date): Promise<FireResult> {
    const { cron, timeZone, paused, catchUpMs, runProfileId: profileId } = definition;
    // Temporal was unavailable when the schedule changed and catches up on outdated times.
    if (paused || !isTimeOf(cron, timeZone, at)) return {};
    if (!(await isProjectLive(projectId))) return {};
    if (lateMs(at) > catchUpMs + GRACE_MS)
      return { refusedBecause: 'No worker was available at that time or within the catch-up window.' };
    const variableSet = profileId === undefined ? undefined : await variableSetName(projectId, profileId);
    if (profileId !== undefined && variableSet === undefined)
      return { refusedBecause: 'The variable set of the schedule was deleted. Choose another one.' };
    const { kind, id: targetId } = targetOf(definition);
    const earlier = await deps.earlierRunId({ _id, projectId }, at);
    if (earlier !== undefined) return { runId: earlier };
    try {
      const { run } = await trigger({
        projectId,
        kind,
        targetId,
        triggeredBy: { type: 'schedule', name },
        runId: runIdOfScheduleTime(_id, at),
        ...(variableSet === undefined ? {} : { profileId: profileId!, profileName: variableSet }),
      });
      return { runId: run._id };
    } catch (error) {
      if (error instanceof ConflictError) return { refusedBecause: `The ${kind} was removed.` };
      if (error instanceof TooManyError) return { refusedBecause: error.message };
      throw error;
    }
  }

  return {
    async fireSchedule({ scheduleId, at }) {
      const time = new Date(at);
      const schedule = await schedules.find(scheduleId);
      if (!schedule || schedule.archivedAt) return {};
      const result = await fire(schedule, time);
      if (result.runId !== undefined || result.refusedBecause !== undefined) {
        await schedules.noteFired(scheduleId, { at: time, ...result });
        const isFired = result.runId !== undefined;
        await report({
          pass: `${scheduleId} ${at}`,
          counts: { [isFired ? 'fired' : 'refused']: 1 },
          succeeded: isFired,
        });
      }
      log({ scheduleId, at, lateMs: lateMs(time), ...result });
      return result;
    },
  };
}
