import type { EndedRunCounts, Step } from '#src/db/stats/count-ended.js';
import { addToDay, idOfDay, type ProjectDay } from '#src/domain/stats/project-day.js';
import { addToTarget, dayOf, type EndedRun, type TargetRecord } from '#src/domain/stats/target-stats.js';

/** The result of a batch. */
export type Batch =
  | { outcome: 'counted'; runs: number; mark: Date }
  | { outcome: 'nothing' }
  /** Another process updated the same statistics: retry. */
  | { outcome: 'overtaken' };

/**
 * Adds the next ended runs to the statistics of their targets and projects, with one write each. Every record contains
 * the mark up to which it has counted, so that interrupted and concurrent batches count nothing twice.
 * @param after the mark of the previous batch
 * @param until no run can appear before this time any longer
 * @throws the driver's error when the database does not respond
 */
export async function countBatch(counts: EndedRunCounts, after: Date, until: Date, limit: number): Promise<Batch> {
  const runs = await counts.endedAfter(after, until, limit);
  if (runs.length === 0) return { outcome: 'nothing' };
  const mark = runs.at(-1)!.modified;
  const inOrder = runs.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  const done =
    (await counts.writeTargets(await targetSteps(counts, inOrder, mark))) &&
    (await counts.writeDays(await daySteps(counts, inOrder, mark)));
  return done ? { outcome: 'counted', runs: runs.length, mark } : { outcome: 'overtaken' };
}

async function targetSteps(counts: EndedRunCounts, runs: EndedRun[], mark: Date): Promise<Step<TargetRecord>[]> {
  const byTarget = groupBy(runs, ({ targetId }) => targetId);
  const existing = await counts.targets([...byTarget.keys()]);
  return [...byTarget].flatMap(([id, ofTarget]) => {
    const from = existing.get(id);
    const to = addToTarget(from, ofTarget, mark);
    return to ? [{ from, to }] : [];
  });
}

async function daySteps(counts: EndedRunCounts, runs: EndedRun[], mark: Date): Promise<Step<ProjectDay>[]> {
  const byDay = groupBy(runs, ({ projectId, endedAt }) => idOfDay(projectId, dayOf(endedAt)));
  const existing = await counts.days([...byDay.keys()]);
  return [...byDay].flatMap(([id, ofDay]) => {
    const { projectId, endedAt } = ofDay[0]!;
    const from = existing.get(id);
    const to = addToDay(from, { projectId, day: dayOf(endedAt) }, ofDay, mark);
    return to ? [{ from, to }] : [];
  });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
