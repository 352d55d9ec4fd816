import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { CaseCounts } from '#src/domain/runs/test-case.js';

/** Statuses that say something of a test; a run that was stopped or skipped says nothing. */
export const VERDICTS = ['passed', 'failed', 'error'] as const satisfies readonly RunStatus[];

export type Verdict = (typeof VERDICTS)[number];

/** Runs that a target's pass rate and duration are told from. */
const RECENT = 20;
/** Days of which changes of verdict are kept. */
const FLIP_DAYS = 92;

/** What the numbers take of a run that has ended with a verdict. */
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

/** The numbers of one test or suite. */
export interface TargetRecord {
  /** Of the test or suite. */
  _id: string;
  projectId: string;
  kind: TargetKind;
  /** The last verdict, and when it was. */
  status: Verdict;
  lastEndedAt: Date;
  /** Of the recent runs, from 0 to 1. */
  passRate: number;
  medianMs: number;
  /** Oldest first. */
  recent: RecentRun[];
  /** The last verdict that is the test's own, and of which revision it was. */
  proven?: { status: Verdict; revision: number };
  /** How often the verdict has changed on the same revision, by day; oldest first. */
  flips: { day: string; count: number }[];
  lastFlipAt?: Date;
  /** Runs modified up to here are in it. */
  mark: Date;
}

/**
 * The next state of a target's numbers.
 * @param there absent before the first run
 * @param runs in the order of their ends; those that are in the numbers are passed over
 * @param mark no run up to here will come any more
 * @returns undefined when nothing changes
 */
export function addToTarget(
  there: TargetRecord | undefined,
  runs: readonly EndedRun[],
  mark: Date,
): TargetRecord | undefined {
  const added = runs.filter((run) => !isCounted(run, there?.mark));
  if (added.length === 0) return undefined;
  const recent = [...(there?.recent ?? []), ...added.map(recentOf)]
    .toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime())
    .slice(-RECENT);
  const last = recent.at(-1)!;
  const { _id, projectId, kind } = there ?? { ...added[0]!, _id: added[0]!.targetId };
  return {
    _id,
    projectId,
    kind,
    status: last.status,
    lastEndedAt: last.endedAt,
    passRate: recent.filter(({ status }) => status === 'passed').length / recent.length,
    medianMs: medianOf(recent) ?? 0,
    recent,
    ...withFlips(there, added),
    mark,
  };
}

/** Suites are written once more after their end, when their counts are mended: they are known by when they ended. */
export function isCounted({ kind, modified, endedAt }: EndedRun, mark: Date | undefined): boolean {
  return mark !== undefined && (modified <= mark || (kind === 'suite' && endedAt <= mark));
}

/** The day that a moment belongs to, in UTC: `2026-08-02`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** In ms; 0 of a run that never began. */
export function durationOf({ startedAt, endedAt }: Pick<EndedRun, 'startedAt' | 'endedAt'>): number {
  return startedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : 0;
}

/** The duration in the middle of those that were not cut short by an error, in ms; undefined where there are none. */
export function medianOf(recent: readonly RecentRun[]): number | undefined {
  const whole = recent.filter(({ status }) => status !== 'error').map(({ durationMs }) => durationMs);
  return whole.toSorted((a, b) => a - b)[Math.floor(whole.length / 2)];
}

function recentOf(run: EndedRun): RecentRun {
  return { runId: run._id, status: run.status, durationMs: durationOf(run), endedAt: run.endedAt };
}

/**
 * A test is flaky when its verdict changes on the same revision: between two runs, or within one that passed after a
 * failed attempt. An error is no verdict of the test's own.
 */
function withFlips(there: TargetRecord | undefined, added: readonly EndedRun[]) {
  let { proven, lastFlipAt } = there ?? {};
  const byDay = new Map(there?.flips.map(({ day, count }) => [day, count]));
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
