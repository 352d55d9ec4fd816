import type { ProjectItem } from '#src/domain/records.js';
import type { TargetKind } from '#src/domain/targets/target-kind.js';

/** When a test or suite runs by itself. It has either `testId` or `suiteId`. */
export interface ScheduleDefinition {
  testId?: string;
  suiteId?: string;
  /** Five fields, or a name such as `@daily`; see cron.ts. */
  cron: string;
  /** By IANA's name; what the cron's hours mean. */
  timeZone: string;
  paused: boolean;
  /** How late a run may still be started, in ms: after an outage, older times are left out. */
  catchUpMs: number;
  /** The variable set of its runs. */
  runProfileId?: string;
}

/** What the last time of a schedule came to: a run, or why there is none. */
export interface LastFired {
  /** The time by the cron. */
  at: Date;
  runId?: string;
  refusedBecause?: string;
}

/** Temporal does not accept a revision of a schedule. */
export interface EngineRefusal {
  revision: number;
  /** As Temporal words it. */
  message: string;
  at: Date;
}

export interface Schedule extends ProjectItem<ScheduleDefinition> {
  lastFired?: LastFired;
  /** Of the current revision, or of an earlier one; see `refusalOf`. */
  engineRefusal?: EngineRefusal;
}

/** What a schedule is when nothing is said of it. */
export const SCHEDULE_DEFAULTS = { timeZone: 'UTC', paused: false, catchUpMs: 3_600_000 } as const;

/** What a schedule starts. */
export function targetOf({ testId, suiteId }: Pick<ScheduleDefinition, 'testId' | 'suiteId'>): {
  kind: TargetKind;
  id: string;
} {
  return testId === undefined ? { kind: 'suite', id: suiteId ?? '' } : { kind: 'test', id: testId };
}

/** Why Temporal does not accept a schedule as it is now, so that it starts nothing; undefined: nothing is known against it. */
export function refusalOf({ revision, engineRefusal, archivedAt }: Schedule): EngineRefusal | undefined {
  return archivedAt === undefined && engineRefusal?.revision === revision ? engineRefusal : undefined;
}
