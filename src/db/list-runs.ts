import type { Filter } from 'mongodb';
import type { Page, PageRequest } from '../domain/page.js';
import { RUN_STATUSES, type RunStatus } from '../domain/run-status.js';
import type { ListedRun, ListedTest, Run, RunKind, TriggerType } from '../domain/run.js';
import type { Collections } from './collections.js';
import type { SortKey } from './page-cursor.js';
import { readPage } from './page.js';

/** Which runs a list is of; what is absent does not matter. */
export interface RunFilter {
  /** Those that the caller may see. */
  projectIds?: readonly string[];
  kind?: RunKind;
  /** With it a suite's tests are among them; without it they are listed with their suite run only. */
  targetId?: string;
  statuses?: readonly RunStatus[];
  triggers?: readonly TriggerType[];
  /** First and last moment of their triggers. */
  since?: Date;
  until?: Date;
}

const NEWEST_FIRST: readonly [SortKey, SortKey] = [
  { field: 'queuedAt', order: -1, type: 'date' },
  { field: '_id', order: -1, type: 'text' },
];
const IN_ORDER: readonly [SortKey] = [{ field: 'position', order: 1, type: 'number' }];
/** MongoDB merges up to 200 parts of an index in order: 16 (kinds by statuses) of each project. */
const PROJECTS_MAX = 12;
const WITHOUT_LARGE = { variables: 0, definition: 0 };

/** Lists of runs. Each throws as readPage does. */
export interface RunLists {
  /** Newest first. */
  page(filter: RunFilter, page: PageRequest): Promise<Page<ListedRun>>;
  /** Of a suite run, in the suite's order. */
  ofSuite(suiteRunId: string, page: PageRequest): Promise<Page<ListedTest>>;
}

export function createRunLists({ runs }: Pick<Collections, 'runs'>): RunLists {
  return {
    page: (filter, page) =>
      readPage<Run, ListedRun>(runs, { ...queryOf(filter), sort: NEWEST_FIRST, projection: WITHOUT_LARGE }, page),
    ofSuite: (suiteRunId, page) =>
      readPage<Run, ListedTest>(
        runs,
        { filter: { suiteRunId }, sort: IN_ORDER, projection: WITHOUT_LARGE, hint: 'suite_tests' },
        page,
      ),
  };
}

/** The filter and the index that answers it. */
export function queryOf(wanted: RunFilter): { filter: Filter<Run>; hint: string } {
  const { projectIds, kind, targetId, statuses = RUN_STATUSES, triggers, since, until } = wanted;
  const ofTarget = targetId !== undefined;
  const ofFewProjects = projectIds !== undefined && projectIds.length <= PROJECTS_MAX;
  const filter = {
    ...(projectIds ? { projectId: { $in: [...projectIds] } } : {}),
    ...(ofTarget ? { targetId } : { suiteRunId: null }),
    ...(kind ? { kind } : ofTarget ? {} : { kind: { $in: ['test', 'suite'] } }),
    ...(ofTarget || ofFewProjects || wanted.statuses ? { status: { $in: [...statuses] } } : {}),
    ...(triggers ? { 'triggeredBy.type': { $in: [...triggers] } } : {}),
    ...(since || until ? { queuedAt: { ...(since ? { $gte: since } : {}), ...(until ? { $lte: until } : {}) } } : {}),
  } as Filter<Run>;
  return { filter, hint: ofTarget ? 'listed_of_target' : ofFewProjects ? 'listed_of_project' : 'newest' };
}
