import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { CaseCounts } from '#src/domain/runs/test-case.js';

/** Statuses that are a result of the test; a stopped or skipped run has none. */
export const VERDICTS = ['passed', 'failed', 'error'] as const satisfies readonly RunStatus[];

export type Verdict = (typeof VERDICTS)[number];

/** Number of runs that a target's pass rate and duration are calculated from. */
const RECENT = 20;
/** Number of days for which changes of verdict are kept. */
const FLIP_DAYS = 92;

/** The fields of a run with a verdict that statistics need. */
export interface EndedRun {
  _id: string;
  kind: TargetKind;
  projectId: string;
  targetId: string;
  targetRevision: number;
  status: Verdict;
  startedAt?: Date;
  endedAt: Date;
  modified: Date;
  attempts?: { verdict?: { status: RunStatus; cases?: CaseCounts } }[];
}

export interface RecentRun {
  runId: string;
  status: Verdict;
  durationMs: number;
  endedAt: Date;
}

/** Statistics of one test or suite. */
export interface TargetRecord {
  /** Id of the test or suite. */
  _id: string;
  projectId: string;
  kind: TargetKind;
  /** The last verdict and its time. */
  status: Verdict;
  lastEndedAt: Date;
  /** From 0 to 1. */
  passRate: number;
  medianMs: number;
  /** Oldest first. */
  recent: RecentRun[];
  /** The last verdict that was not an error, and its revision. */
  proven?: { status: Verdict; revision: number };
  /** How often the verdict has changed on the same revision, by day; oldest first. */
  flips: { day: string; count: number }[];
  lastFlipAt?: Date;
  /** Includes every run modified up to this time. */
  mark: Date;
}

/**
 * The next state of a target's statistics.
 * @param runs in the order of their ends; those already counted are skipped
 * @param mark every run modified up to this time has been passed
 * @returns undefined when nothing changes
 */
export function addToTarget(
  existing: TargetRecord | undefined,
  runs: readonly EndedRun[],
  mark: Date,
): TargetRecord | undefined {
  const added = runs.filter((run) => !isCounted(run, existing?.mark));
  if (added.length === 0) return undefined;
  const recent = [...(existing?.recent ?? []), ...added.map(recentOf)]
    .toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime())
    .slice(-RECENT);
  const last = recent.at(-1)!;
  const { _id, projectId, kind } = existing ?? { ...added[0]!, _id: added[0]!.targetId };
  return {
    _id,
    projectId,
    kind,
    status: last.status,
    lastEndedAt: last.endedAt,
    passRate: recent.filter(({ status }) => status === 'passed').length / recent.length,
    medianMs: medianOf(recent) ?? 0,
    recent,
    ...withFlips(existing, added),
    mark,
  };
}

/** A recount may modify a suite run after its end, so suite runs are also recognized by their end. */
export function isCounted({ kind, modified, endedAt }: EndedRun, mark: Date | undefined): boolean {
  return mark !== undefined && (modified <= mark || (kind === 'suite' && endedAt <= mark));
}

/** The day in UTC: `2026-08-02`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** In ms; 0 for a run that never started. */
export function durationOf({ startedAt, endedAt }: Pick<EndedRun, 'startedAt' | 'endedAt'>): number {
  return startedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : 0;
}

/** The median duration of runs without errors, in ms; undefined if there are none. */
export function medianOf(recent: readonly RecentRun[]): number | undefined {
  const durations = recent.filter(({ status }) => status !== 'error').map(({ durationMs }) => durationMs);
  return durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)];
}

function recentOf(run: EndedRun): RecentRun {
  return { runId: run._id, status: run.status, durationMs: durationOf(run), endedAt: run.endedAt };
}

/**
 * A test is flaky when its verdict changes on the same revision: between two runs, or between the attempts of a run. An
 * error does not count, since it is not a result of the test.
 */
function withFlips(existing: TargetRecord | undefined, added: readonly EndedRun[]) {
  let { proven, lastFlipAt } = existing ?? {};
  const byDay = new Map(existing?.flips.map(({ day, count }) => [day, count]));
  for (const { status, targetRevision: revision, endedAt, attempts } of added) {
    if (status === 'error') continue;
    const changed = proven?.revision === revision && proven.status !== status;
    const passedAgain = status === 'passed' && attempts?.some(({ verdict }) => verdict?.status === 'failed');
    if (changed || passedAgain) {
      byDay.set(dayOf(endedAt), (byDay.get(dayOf(endedAt)) ?? 0) + 1);
      lastFlipAt = lastFlipAt && lastFlipAt > endedAt ? lastFlipAt : endedAt;
    }
    proven = { status, revision };
  }
  const flips = [...byDay].map(([day, count]) => ({ day, count })).toSorted((a, b) => a.day.localeCompare(b.day));
  return { flips: flips.slice(-FLIP_DAYS), ...(proven ? { proven } : {}), ...(lastFlipAt ? { lastFlipAt } : {}) };
}
