import type { Collection } from 'mongodb';
import type { ScheduleDefinition } from '#src/domain/schedules/schedule.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import { nextChangeNumber } from './change-numbers.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { PageRequest } from '#src/domain/page.js';
import type { ProjectItem } from '#src/domain/records.js';
import { nextRevision } from './converge-targets.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { containing } from '#src/db/query/containing.js';
import { readPage, type PageQuery } from '#src/db/query/page.js';
import { keepRevisions } from './upsert-definitions.js';
import { ARCHIVED, archivedIds, NAMES_OF_PROJECT } from './live-targets.js';

const OPTIONS = { maxTimeMS: 2000 };
const MANY_IDS = 1000;
const BY_NAME: PageQuery<ProjectItem<object>>['sort'] = [
  { field: 'name', order: 1, type: 'text' },
  { field: '_id', order: 1, type: 'text' },
];

export interface ItemFilter {
  projectId: string;
  isArchived: boolean;
  /** Part of the name, ignoring case. */
  search?: string;
}

export type ItemStore<Definition extends object> = ReturnType<typeof createItemStore<Definition>>;

/** Tests. Replaced states are kept and numbered, because suite runs read their tests as of a change number. */
export function createTestStore(collections: Pick<Collections, 'tests' | 'testRevisions' | 'changeNumbers'>) {
  return createItemStore<TestDefinition>(collections.tests, {
    keep: (test) => keepRevisions(collections.testRevisions, [test]),
    nextNumber: (projectId) => nextChangeNumber(collections, projectId),
  });
}

export function createSuiteStore({ suites }: Pick<Collections, 'suites'>) {
  return createItemStore<SuiteDefinition>(suites);
}

export function createScheduleItemStore({ schedules }: Pick<Collections, 'schedules'>) {
  return createItemStore<ScheduleDefinition>(schedules);
}

/** Keeps replaced states and numbers changes. */
interface History<Definition extends object> {
  keep(replaced: ProjectItem<Definition>): Promise<void>;
  nextNumber(projectId: string): Promise<number>;
}

/** Tests, suites or schedules. Each call throws the driver's error when the database does not answer in time. */
function createItemStore<Definition extends object>(
  items: Collection<ProjectItem<Definition>>,
  history?: History<Definition>,
) {
  type Item = ProjectItem<Definition>;
  const guard = ({ _id, revision }: Item) => ({ _id, revision, archivedAt: { $exists: false } });
  async function numbered(
    field: 'changeNumber' | 'archivedAtChange',
    projectId: string,
  ): Promise<Pick<ProjectItem<object>, 'changeNumber' | 'archivedAtChange'>> {
    return history ? { [field]: await history.nextNumber(projectId) } : {};
  }

  return {
    /** By name. @throws InvalidInputError for a cursor of another list */
    async page({ projectId, isArchived, search }: ItemFilter, request: PageRequest) {
      // The index by name does not contain `archivedAt`. Excluding the few archived ids lets MongoDB count from it alone.
      const which = isArchived
        ? { filter: { archivedAt: { $exists: true } }, hint: ARCHIVED }
        : { filter: { _id: { $nin: await archivedIds(items, [projectId]) } }, hint: NAMES_OF_PROJECT };
      const name = search === undefined ? undefined : containing(search);
      return readPage<Item, Item>(
        items,
        { filter: { projectId, ...which.filter, name }, sort: BY_NAME, hint: which.hint },
        request,
      );
    },
    find: async (id: string): Promise<Item | undefined> => (await items.findOne({ _id: id }, OPTIONS)) ?? undefined,
    /** Names of the `ids` that are in the project, archived ones included. */
    async named(projectId: string, ids: readonly string[]): Promise<Map<string, string>> {
      // For many ids, reading the names of the whole project from the index is faster than reading each document.
      const which =
        ids.length > MANY_IDS
          ? { filter: { projectId }, hint: NAMES_OF_PROJECT }
          : { filter: { _id: { $in: [...ids] }, projectId }, hint: '_id_' };
      const found = await items
        .find(which.filter, { ...OPTIONS, hint: which.hint, projection: { name: 1 }, batchSize: 10_000 })
        .toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },
    /** Whether a live item other than `id` has the name. */
    async isNameTaken(projectId: string, name: string, id: string) {
      const filter = { projectId, name, archivedAt: { $exists: false }, _id: { $ne: id } };
      return (await items.findOne(filter, { ...OPTIONS, projection: { _id: 1 } })) !== null;
    },
    /** @throws IdempotencyConflictError; see insertOnce */
    insert: async (target: Item) =>
      insertOnce(items, { ...target, ...(await numbered('changeNumber', target.projectId)) }),
    /** Deletes an item that has just been inserted. */
    withdraw: async (target: Item): Promise<void> => void (await items.deleteOne(guard(target))),
    /**
     * Writes the next revision.
     * @param now by the database's clock
     * @returns undefined when the revision has changed or the item is archived
     */
    async replace(existing: Item, next: Pick<Item, 'name' | 'definition'>, now: Date): Promise<Item | undefined> {
      await history?.keep(existing);
      const { $set } = nextRevision(existing, next, now);
      const stamped = await numbered('changeNumber', existing.projectId);
      const replaced = await items.findOneAndUpdate(
        guard(existing),
        { $set: { ...$set, ...stamped } },
        { returnDocument: 'after' },
      );
      return replaced ?? undefined;
    },
    /** @returns false when the revision has changed or the item is archived */
    async archive(existing: Item) {
      const stamped = await numbered('archivedAtChange', existing.projectId);
      const { matchedCount } = await items.updateOne(guard(existing), {
        $set: stamped,
        $currentDate: { archivedAt: true },
      });
      return matchedCount === 1;
    },
  };
}
