import type { ProjectItem } from '#src/domain/records.js';
import type { TargetKind } from '#src/domain/targets/target-kind.js';

/** Has either `testId` or `suiteId`. */
export interface ScheduleDefinition {
  testId?: string;
  suiteId?: string;
  /** Five fields, or a name such as `@daily`; see cron.ts. */
  cron: string;
  /** IANA name. */
  timeZone: string;
  paused: boolean;
  /** How late a run may be started after an outage, in ms; older times are skipped. */
  catchUpMs: number;
  /** The variable set of its runs. */
  runProfileId?: string;
}

/** The result of the last scheduled time: a run, or why there is none. */
export interface LastFired {
  /** The scheduled time. */
  at: Date;
  runId?: string;
  refusedBecause?: string;
}

/** Temporal does not accept a revision of a schedule. */
export interface EngineRefusal {
  revision: number;
  /** Temporal's message. */
  message: string;
  at: Date;
}

export interface Schedule extends ProjectItem<ScheduleDefinition> {
  lastFired?: LastFired;
  /** May be of an earlier revision; see `refusalOf`. */
  engineRefusal?: EngineRefusal;
}

export const SCHEDULE_DEFAULTS = { timeZone: 'UTC', paused: false, catchUpMs: 3_600_000 } as const;

/** The test or suite that a schedule starts. */
export function targetOf({ testId, suiteId }: Pick<ScheduleDefinition, 'testId' | 'suiteId'>): {
  kind: TargetKind;
  id: string;
} {
  return testId === undefined ? { kind: 'suite', id: suiteId ?? '' } : { kind: 'test', id: testId };
}

/** Temporal's refusal of the schedule's current revision, if any: it then starts no runs. */
export function refusalOf({ revision, engineRefusal, archivedAt }: Schedule): EngineRefusal | undefined {
  return archivedAt === undefined && engineRefusal?.revision === revision ? engineRefusal : undefined;
}
