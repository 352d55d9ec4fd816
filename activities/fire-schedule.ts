import type { ScheduleStore } from '../src/db/schedules.js';
import { isTimeOf } from '../src/domain/cron.js';
import { ConflictError, TooManyError } from '../src/domain/errors.js';
import { runIdOfScheduleTime } from '../src/domain/ids.js';
import type { TriggeredBy } from '../src/domain/run.js';
import { targetOf, type LastFired, type Schedule } from '../src/domain/schedule.js';

/** What became of one time of a schedule; neither: it does not count any more. */
export type FireResult = Omit<LastFired, 'at'>;

export interface ScheduleActivities {
  /** Starts the run of one time, once however often it is delivered. @param at the time by the cron, ISO 8601 */
  fireSchedule(input: { scheduleId: string; at: string }): Promise<FireResult>;
}

export interface ScheduleDeps {
  schedules: Pick<ScheduleStore, 'find' | 'noteFired'>;
  isProjectLive(projectId: string): Promise<boolean>;
  /** The name of a profile of the project; undefined, there is none. */
  profileName(projectId: string, profileId: string): Promise<string | undefined>;
  /** As RunTrigger.byApi. */
  trigger(request: {
    projectId: string;
    kind: 'test' | 'suite';
    targetId: string;
    triggeredBy: TriggeredBy;
    runId: string;
    profileId?: string;
    profileName?: string;
  }): Promise<{ run: { _id: string }; isNew: boolean }>;
  /** The run of a time that an earlier version started; undefined, there is none. */
  earlierRunId(schedule: Pick<Schedule, '_id' | 'projectId'>, at: Date): Promise<string | undefined>;
  /** Adds one to what the metrics show. @param pass the same for the same time */
  report(pass: { pass: string; counts: Record<string, number>; succeeded: boolean }): Promise<void>;
  log(line: { scheduleId: string; at: string; lateMs: number } & FireResult): void;
  now?(): number;
}

/** Beside the catch-up window: a time that came in it may have waited for a worker for a moment. */
const GRACE_MS = 60_000;

export function createScheduleActivities(deps: ScheduleDeps): ScheduleActivities {
  const { schedules, isProjectLive, profileName, trigger, report, log, now = Date.now } = deps;

  /** @throws what may be better in a moment: the database or the service is away */
  async function fire({ _id, projectId, name, definition }: Schedule, at: Date): Promise<FireResult> {
    const { cron, timeZone, paused, catchUpMs, runProfileId: profileId } = definition;
    // Temporal was away when it was changed, and catches up on what it was before.
    if (paused || !isTimeOf(cron, timeZone, at)) return {};
    if (!(await isProjectLive(projectId))) return {};
    if (now() - at.getTime() > catchUpMs + GRACE_MS)
      return { refusedBecause: 'No worker was there at that time, nor within the catch-up window.' };
    const profile = profileId === undefined ? undefined : await profileName(projectId, profileId);
    if (profileId !== undefined && profile === undefined)
      return { refusedBecause: 'Its profile of variables was removed. Choose another one.' };
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
        ...(profile === undefined ? {} : { profileId: profileId!, profileName: profile }),
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
      log({ scheduleId, at, lateMs: now() - time.getTime(), ...result });
      return result;
    },
  };
}
