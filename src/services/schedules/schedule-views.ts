import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { Collections } from '#src/db/schema/collections.js';
import { createLiveTargets } from '#src/db/targets/live-targets.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import type { Clock } from '#src/domain/clock.js';
import { nextTimes } from '#src/domain/schedules/cron.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { refusalOf, targetOf, type Schedule } from '#src/domain/schedules/schedule.js';

export const TIMES_SHOWN = 5;

/** A schedule with what people want to know beside it. */
export interface ScheduleView {
  schedule: Schedule;
  target: { kind: TargetKind; id: string; name: string };
  next: Date[];
  /** Of the run that its last time started, while that is on record. */
  lastStatus?: RunStatus;
}

/** Schedules for pages. Each call throws the driver's error when the database does not answer. */
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
    /** All live ones of a project, or those that start one test or suite of it, by name. */
    async ofProject(projectId: string, targetId?: string): Promise<ScheduleView[]> {
      const all = await store.ofProject(projectId);
      return view(targetId === undefined ? all : all.filter(({ definition }) => targetOf(definition).id === targetId));
    },
  };
}

/** The next times; none of one that is paused or removed, or that Temporal does not accept. */
export function nextTimesOf(schedule: Schedule, now: Date): Date[] {
  const { cron, timeZone, paused } = schedule.definition;
  return paused || schedule.archivedAt || refusalOf(schedule) ? [] : nextTimes(cron, timeZone, now, TIMES_SHOWN);
}
