import type { Filter } from 'mongodb';
import { TARGET_KINDS, type TargetKind } from '#src/domain/targets/target-kind.js';
import type { PageRequest } from '#src/domain/page.js';
import { RUN_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import { STARTERS, type ListedRun, type ListedTest, type Run, type TriggerType } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { SortKey } from '#src/db/query/page-cursor.js';
import { containing } from '#src/db/query/containing.js';
import { readPage } from '#src/db/query/page.js';

export interface RunFilter {
  /** Projects that the caller may read. */
  projectIds?: readonly string[];
  kind?: TargetKind;
  /** Includes test runs of suites; without a target they are listed with their suite run only. */
  targetId?: string;
  statuses?: readonly RunStatus[];
  triggers?: readonly TriggerType[];
  /** Bounds of the trigger time, both inclusive. */
  since?: Date;
  until?: Date;
}

export interface SuiteTestFilter {
  statuses?: readonly RunStatus[];
  /** Part of the name, ignoring case. */
  search?: string;
}

const NEWEST_FIRST: readonly [SortKey, SortKey] = [
  { field: 'queuedAt', order: -1, type: 'date' },
  { field: '_id', order: -1, type: 'text' },
];
const IN_ORDER: readonly [SortKey] = [{ field: 'position', order: 1, type: 'number' }];
/** MongoDB merges up to 200 index ranges in order (projects × kinds × triggers × statuses), and sorts more in memory. */
const PARTS_MAX = 200;

const WITHOUT_LARGE = { variables: 0, definition: 0 };
const MAX_TIME_MS = 2000;
const OF_SOME = { projection: WITHOUT_LARGE, maxTimeMS: MAX_TIME_MS };

export type RunLists = ReturnType<typeof createRunLists>;

/** Lists of runs. Each call throws like readPage. */
export function createRunLists({ runs }: Pick<Collections, 'runs'>) {
  return {
    /** Newest first. */
    page: (filter: RunFilter, page: PageRequest) =>
      readPage<Run, ListedRun>(runs, { ...queryOf(filter), sort: NEWEST_FIRST, projection: WITHOUT_LARGE }, page),
    /** Counts up to `limit`. */
    count(runFilter: RunFilter, limit: number) {
      const { filter, hint } = queryOf(runFilter);
      return runs.countDocuments(filter, { hint, limit, maxTimeMS: MAX_TIME_MS });
    },
    /** Test runs of a suite run, in the suite's order. */
    ofSuite: (suiteRunId: string, { statuses, search }: SuiteTestFilter, page: PageRequest) =>
      readPage<Run, ListedTest>(
        runs,
        {
          filter: {
            suiteRunId,
            status: statuses && { $in: [...statuses] },
            targetName: search ? containing(search) : undefined,
          },
          sort: IN_ORDER,
          projection: WITHOUT_LARGE,
          hint: 'suite_tests',
        },
        page,
      ),
    /** The test runs at these positions of a suite run. */
    atPositions: async (suiteRunId: string, positions: readonly number[]) =>
      (await runs
        .find({ suiteRunId, position: { $in: [...positions] } }, { ...OF_SOME, hint: 'suite_tests' })
        .toArray()) as ListedTest[],
    /** The `ids` that belong to the project. */
    byIds: (ids: readonly string[], projectId: string) =>
      runs.find<ListedRun>({ _id: { $in: [...ids] }, projectId }, { ...OF_SOME, hint: '_id_' }).toArray(),
  };
}

/** The query, and the index for it. */
export function queryOf(runFilter: RunFilter): { filter: Filter<Run>; hint: string } {
  const { projectIds, targetId, since, until } = runFilter;
  const kinds = runFilter.kind ? [runFilter.kind] : TARGET_KINDS;
  const { triggers = STARTERS, statuses = RUN_STATUSES } = runFilter;
  const ofTarget = targetId !== undefined;
  const parts = (projectIds?.length ?? Infinity) * kinds.length * triggers.length * statuses.length;
  const ofFewProjects = !ofTarget && parts <= PARTS_MAX;
  const filter = {
    ...(projectIds ? { projectId: { $in: [...projectIds] } } : {}),
    ...(ofTarget ? { targetId } : { suiteRunId: null }),
    // Every field that precedes the sort in the index is bound, so that ranges are merged instead of sorted.
    ...(runFilter.kind || ofFewProjects ? { kind: { $in: [...kinds] } } : {}),
    ...(runFilter.triggers || ofFewProjects ? { 'triggeredBy.type': { $in: [...triggers] } } : {}),
    ...(runFilter.statuses || ofTarget || ofFewProjects ? { status: { $in: [...statuses] } } : {}),
    ...(since || until ? { queuedAt: { ...(since ? { $gte: since } : {}), ...(until ? { $lte: until } : {}) } } : {}),
  } as Filter<Run>;
  return { filter, hint: ofTarget ? 'listed_of_target' : ofFewProjects ? 'runs_of_project' : 'newest' };
}
