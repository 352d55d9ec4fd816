import type { Filter } from 'mongodb';
import { TARGET_KINDS, type TargetKind } from '#src/domain/targets/target-kind.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import { RUN_STATUSES, type RunStatus } from '#src/domain/runs/run-status.js';
import { STARTERS, type ListedRun, type ListedTest, type Run, type TriggerType } from '#src/domain/runs/run.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { SortKey } from '#src/db/query/page-cursor.js';
import { containing } from '#src/db/query/containing.js';
import { readPage } from '#src/db/query/page.js';

/** Which runs a list is of; what is absent does not matter. */
export interface RunFilter {
  /** Those that the caller may see. */
  projectIds?: readonly string[];
  kind?: TargetKind;
  /** With it a suite's tests are among them; without it they are listed with their suite run only. */
  targetId?: string;
  statuses?: readonly RunStatus[];
  triggers?: readonly TriggerType[];
  /** First and last moment of their triggers. */
  since?: Date;
  until?: Date;
}

/** Which of a suite run's tests a list is of. */
export interface SuiteTestFilter {
  statuses?: readonly RunStatus[];
  /** Part of a name, in any case. */
  search?: string;
}

const NEWEST_FIRST: readonly [SortKey, SortKey] = [
  { field: 'queuedAt', order: -1, type: 'date' },
  { field: '_id', order: -1, type: 'text' },
];
const IN_ORDER: readonly [SortKey] = [{ field: 'position', order: 1, type: 'number' }];
/** MongoDB merges up to 200 parts of an index in order (projects by kinds by triggers by statuses); more it would sort. */
const PARTS_MAX = 200;

const WITHOUT_LARGE = { variables: 0, definition: 0 };
const MAX_TIME_MS = 2000;
const OF_SOME = { projection: WITHOUT_LARGE, maxTimeMS: MAX_TIME_MS };

/** Lists of runs. Each throws as readPage does. */
export interface RunLists {
  /** Newest first. */
  page(filter: RunFilter, page: PageRequest): Promise<Page<ListedRun>>;
  /** How many there are, counted up to `limit`. */
  count(filter: RunFilter, limit: number): Promise<number>;
  /** Tests of a suite run, in the suite's order. */
  ofSuite(suiteRunId: string, filter: SuiteTestFilter, page: PageRequest): Promise<Page<ListedTest>>;
  /** The tests at these places of a suite run. */
  atPositions(suiteRunId: string, positions: readonly number[]): Promise<ListedTest[]>;
  /** Those of these runs that are a project's. */
  byIds(ids: readonly string[], projectId: string): Promise<ListedRun[]>;
}

export function createRunLists({ runs }: Pick<Collections, 'runs'>): RunLists {
  return {
    page: (filter, page) =>
      readPage<Run, ListedRun>(runs, { ...queryOf(filter), sort: NEWEST_FIRST, projection: WITHOUT_LARGE }, page),
    count(wanted, limit) {
      const { filter, hint } = queryOf(wanted);
      return runs.countDocuments(filter, { hint, limit, maxTimeMS: MAX_TIME_MS });
    },
    ofSuite: (suiteRunId, { statuses, search }, page) =>
      readPage<Run, ListedTest>(
        runs,
        {
          filter: {
            suiteRunId,
            ...(statuses ? { status: { $in: [...statuses] } } : {}),
            ...(search ? { targetName: containing(search) } : {}),
          },
          sort: IN_ORDER,
          projection: WITHOUT_LARGE,
          hint: 'suite_tests',
        },
        page,
      ),
    atPositions: async (suiteRunId, positions) =>
      (await runs
        .find({ suiteRunId, position: { $in: [...positions] } }, { ...OF_SOME, hint: 'suite_tests' })
        .toArray()) as ListedTest[],
    byIds: (ids, projectId) =>
      runs.find<ListedRun>({ _id: { $in: [...ids] }, projectId }, { ...OF_SOME, hint: '_id_' }).toArray(),
  };
}

/** The filter and the index that answers it. */
export function queryOf(wanted: RunFilter): { filter: Filter<Run>; hint: string } {
  const { projectIds, targetId, since, until } = wanted;
  const kinds = wanted.kind ? [wanted.kind] : TARGET_KINDS;
  const { triggers = STARTERS, statuses = RUN_STATUSES } = wanted;
  const ofTarget = targetId !== undefined;
  const parts = (projectIds?.length ?? Infinity) * kinds.length * triggers.length * statuses.length;
  const ofFewProjects = !ofTarget && parts <= PARTS_MAX;
  const filter = {
    ...(projectIds ? { projectId: { $in: [...projectIds] } } : {}),
    ...(ofTarget ? { targetId } : { suiteRunId: null }),
    // Fields of the index that is used are always bound: the parts are merged, not sorted.
    ...(wanted.kind || ofFewProjects ? { kind: { $in: [...kinds] } } : {}),
    ...(wanted.triggers || ofFewProjects ? { 'triggeredBy.type': { $in: [...triggers] } } : {}),
    ...(wanted.statuses || ofTarget || ofFewProjects ? { status: { $in: [...statuses] } } : {}),
    ...(since || until ? { queuedAt: { ...(since ? { $gte: since } : {}), ...(until ? { $lte: until } : {}) } } : {}),
  } as Filter<Run>;
  return { filter, hint: ofTarget ? 'listed_of_target' : ofFewProjects ? 'runs_of_project' : 'newest' };
}
