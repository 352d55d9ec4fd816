import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createLiveTargets } from '#src/db/targets/live-targets.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import type { Clock } from '#src/domain/clock.js';
import { nextTimes } from '#src/domain/schedules/cron.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { refusalOf, targetOf, type Schedule } from '#src/domain/schedules/schedule.js';

export const TIMES_SHOWN = 5;

/** A schedule with its target and times, as shown in the web app. */
export interface ScheduleView {
  schedule: Schedule;
  target: { kind: TargetKind; id: string; name: string };
  next: Date[];
  /** Status of the last run that it started, until that run's retention. */
  lastStatus?: RunStatus | undefined;
}

/** Schedules for pages. Each call throws the driver's error when the database does not respond. */
export function createScheduleViews(
  collections: Pick<Collections, 'schedules' | 'runs' | 'tests' | 'suites'>,
  clock: Clock,
) {
  const store = createScheduleStore(collections);
  const targets = createLiveTargets(collections);

  async function view(schedules: readonly Schedule[]): Promise<ScheduleView[]> {
    const all = schedules.map(({ definition }) => targetOf(definition));
    const idsOf = (kind: TargetKind) => all.filter((one) => one.kind === kind).map(({ id }) => id);
    const [tests, suites, statuses] = await Promise.all([
      targets.names('test', idsOf('test')),
      targets.names('suite', idsOf('suite')),
      store.statusesOf(schedules.flatMap(({ lastFired }) => lastFired?.runId ?? [])),
    ]);
    const names = { test: tests, suite: suites };
    return schedules.map((schedule, index) => {
      const { kind, id } = all[index]!;
      const lastStatus = statuses.get(schedule.lastFired?.runId ?? '');
      return {
        schedule,
        target: { kind, id, name: names[kind].get(id) ?? `(removed ${kind})` },
        next: nextTimesOf(schedule, clock.now()),
        lastStatus,
      };
    });
  }

  return {
    view,
    /** The live schedules of a project, or of one of its tests or suites, by name. */
    async ofProject(projectId: string, targetId?: string): Promise<ScheduleView[]> {
      const all = await store.ofProject(projectId);
      return view(targetId === undefined ? all : all.filter(({ definition }) => targetOf(definition).id === targetId));
    },
  };
}

/** The next times; none for a schedule that is paused, deleted or rejected by Temporal. */
export function nextTimesOf(schedule: Schedule, now: Date): Date[] {
  const { cron, timeZone, paused } = schedule.definition;
  return paused || schedule.archivedAt || refusalOf(schedule) ? [] : nextTimes(cron, timeZone, now, TIMES_SHOWN);
}
