import type { Filter } from 'mongodb';
import type { Page, PageRequest } from '../domain/page.js';
import type { RunStatus } from '../domain/run-status.js';
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
/** A merge of more parts of an index than this costs more than looking at the others' runs too. */
const PROJECTS_MAX = 20;
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
  const { projectIds, kind, targetId, statuses, triggers, since, until } = wanted;
  const isOneOf = <T>(values: readonly T[]) => ({ $in: [...values] });
  const filter: Filter<Run> = {
    ...(projectIds ? { projectId: isOneOf(projectIds) } : {}),
    ...(targetId === undefined
      ? { suiteRunId: null as never, kind: kind ?? isOneOf(['test', 'suite']) }
      : { targetId }),
    ...(targetId !== undefined && kind ? { kind } : {}),
    ...(statuses ? { status: isOneOf(statuses) } : {}),
    ...(triggers ? { 'triggeredBy.type': isOneOf(triggers) } : {}),
    ...((since ?? until) ? { queuedAt: { ...(since ? { $gte: since } : {}), ...(until ? { $lte: until } : {}) } } : {}),
  } as Filter<Run>;
  if (targetId !== undefined) return { filter, hint: 'listed_of_target' };
  return { filter, hint: projectIds && projectIds.length <= PROJECTS_MAX ? 'listed_of_project' : 'newest' };
}
