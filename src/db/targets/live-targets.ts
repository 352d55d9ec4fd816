import type { Collection, Filter } from 'mongodb';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { containing } from '#src/db/query/containing.js';
import { idsOf } from '#src/db/query/ids-of.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { ProjectItem } from '#src/domain/records.js';

const OPTIONS = { maxTimeMS: 2000 };
/** Key of the index of tests, suites and schedules by name. */
export const NAMES_OF_PROJECT = { projectId: 1, name: 1, _id: 1 } as const;
export const ARCHIVED = 'archived';

export type LiveTargets = ReturnType<typeof createLiveTargets>;

/** Live tests and suites, mostly read from indexes alone. Each call throws the driver's error when the database does not answer. */
export function createLiveTargets(collections: Pick<Collections, 'tests' | 'suites'>) {
  const of = { test: collections.tests, suite: collections.suites };

  async function countBy(kind: TargetKind, filter: object, hint: object | string): Promise<Map<string, number>> {
    const groups = of[kind].aggregate<{ _id: string; count: number }>(
      [{ $match: filter }, { $group: { _id: '$projectId', count: { $sum: 1 } } }],
      { ...OPTIONS, hint },
    );
    return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
  }

  return {
    /** Ids of archived tests and suites of these projects. */
    async archived(projectIds: readonly string[]) {
      const ids = await Promise.all([
        archivedIds(collections.tests, projectIds),
        archivedIds(collections.suites, projectIds),
      ]);
      return ids.flat();
    },

    /** Number of live tests or suites per project. */
    async count(kind: TargetKind, projectIds: readonly string[]) {
      const [all, archived] = await Promise.all([
        countBy(kind, { projectId: { $in: [...projectIds] } }, NAMES_OF_PROJECT),
        countBy(kind, archivedOf(projectIds), ARCHIVED),
      ]);
      return new Map(projectIds.map((id) => [id, (all.get(id) ?? 0) - (archived.get(id) ?? 0)]));
    },

    /** Ids of up to `limit` tests or suites whose names contain the text, ignoring case. */
    named: (kind: TargetKind, projectId: string, part: string, limit: number) =>
      of[kind]
        .find({ projectId, name: containing(part) }, { ...OPTIONS, projection: { _id: 1 }, hint: NAMES_OF_PROJECT })
        .limit(limit)
        .map(({ _id }) => _id)
        .toArray(),

    /** Names by id. */
    async names(kind: TargetKind, ids: readonly string[]) {
      const found = await of[kind].find({ _id: { $in: [...ids] } }, { ...OPTIONS, projection: { name: 1 } }).toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },
  };
}

function archivedOf(projectIds: readonly string[]) {
  return { projectId: { $in: [...projectIds] }, archivedAt: { $exists: true } };
}

/** Ids of archived items, from an index that contains no others, so that lists can exclude them cheaply. */
export function archivedIds<Definition extends object>(
  targets: Collection<ProjectItem<Definition>>,
  projectIds: readonly string[],
): Promise<string[]> {
  return idsOf(targets, archivedOf(projectIds) as Filter<ProjectItem<Definition>>, { ...OPTIONS, hint: ARCHIVED });
}
