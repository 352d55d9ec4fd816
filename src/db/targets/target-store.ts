import type { Collection } from 'mongodb';
import type { ScheduleDefinition } from '#src/domain/schedules/schedule.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import { nextChangeNumber } from './change-numbers.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { Page, PageRequest } from '#src/domain/page.js';
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

/** Tests, suites or schedules. Each call throws the driver's error when the database does not answer in time. */
export interface ItemStore<Definition extends object> {
  /** By name. @throws InvalidInputError for a cursor of another list */
  page(filter: ItemFilter, request: PageRequest): Promise<Page<ProjectItem<Definition>>>;
  find(id: string): Promise<ProjectItem<Definition> | undefined>;
  /** Names of the `ids` that are in the project, archived ones included. */
  named(projectId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** Whether a live item other than `id` has the name. */
  isNameTaken(projectId: string, name: string, id: string): Promise<boolean>;
  /** @throws IdempotencyConflictError; see insertOnce */
  insert(target: ProjectItem<Definition>): Promise<{ document: ProjectItem<Definition>; isNew: boolean }>;
  /** Deletes an item that has just been inserted. */
  withdraw(target: ProjectItem<Definition>): Promise<void>;
  /** Writes the next revision. @param now by the database's clock. @returns undefined when the revision has changed or the item is archived */
  replace(
    existing: ProjectItem<Definition>,
    next: Pick<ProjectItem<Definition>, 'name' | 'definition'>,
    now: Date,
  ): Promise<ProjectItem<Definition> | undefined>;
  /** @returns false when the revision has changed or the item is archived */
  archive(existing: ProjectItem<Definition>): Promise<boolean>;
}

/** Tests. Replaced states are kept and numbered, because suite runs read their tests as of a change number. */
export function createTestStore(
  collections: Pick<Collections, 'tests' | 'testRevisions' | 'changeNumbers'>,
): ItemStore<TestDefinition> {
  return createItemStore(collections.tests, {
    keep: (test) => keepRevisions(collections.testRevisions, [test]),
    nextNumber: (projectId) => nextChangeNumber(collections, projectId),
  });
}

export function createSuiteStore({ suites }: Pick<Collections, 'suites'>): ItemStore<SuiteDefinition> {
  return createItemStore(suites);
}

export function createScheduleItemStore({ schedules }: Pick<Collections, 'schedules'>): ItemStore<ScheduleDefinition> {
  return createItemStore(schedules);
}

/** Keeps replaced states and numbers changes. */
interface History<Definition extends object> {
  keep(replaced: ProjectItem<Definition>): Promise<void>;
  nextNumber(projectId: string): Promise<number>;
}

function createItemStore<Definition extends object>(
  items: Collection<ProjectItem<Definition>>,
  history?: History<Definition>,
): ItemStore<Definition> {
  const guard = ({ _id, revision }: ProjectItem<Definition>) => ({ _id, revision, archivedAt: { $exists: false } });
  async function numbered(
    field: 'changeNumber' | 'archivedAtChange',
    projectId: string,
  ): Promise<Pick<ProjectItem<object>, 'changeNumber' | 'archivedAtChange'>> {
    return history ? { [field]: await history.nextNumber(projectId) } : {};
  }

  return {
    async page({ projectId, isArchived, search }, request) {
      // The index by name does not contain `archivedAt`. Excluding the few archived ids lets MongoDB count from it alone.
      const which = isArchived
        ? { filter: { archivedAt: { $exists: true } }, hint: ARCHIVED }
        : { filter: { _id: { $nin: await archivedIds(items, [projectId]) } }, hint: NAMES_OF_PROJECT };
      const name = search === undefined ? undefined : containing(search);
      return readPage<ProjectItem<Definition>, ProjectItem<Definition>>(
        items,
        { filter: { projectId, ...which.filter, name }, sort: BY_NAME, hint: which.hint },
        request,
      );
    },
    find: async (id) => (await items.findOne({ _id: id }, OPTIONS)) ?? undefined,
    async named(projectId, ids) {
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
    async isNameTaken(projectId, name, id) {
      const filter = { projectId, name, archivedAt: { $exists: false }, _id: { $ne: id } };
      return (await items.findOne(filter, { ...OPTIONS, projection: { _id: 1 } })) !== null;
    },
    insert: async (target) => insertOnce(items, { ...target, ...(await numbered('changeNumber', target.projectId)) }),
    withdraw: async (target) => void (await items.deleteOne(guard(target))),
    async replace(existing, next, now) {
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
    async archive(existing) {
      const stamped = await numbered('archivedAtChange', existing.projectId);
      const { matchedCount } = await items.updateOne(guard(existing), {
        $set: stamped,
        $currentDate: { archivedAt: true },
      });
      return matchedCount === 1;
    },
  };
}
