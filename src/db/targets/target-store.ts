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
import { keepRevisions } from './put-definitions.js';
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
  /** Part of the name, in any case. */
  search?: string;
}

/** The tests, the suites or the schedules. Each call throws the driver's error when the database does not answer in time. */
export interface ItemStore<Definition extends object> {
  /** By name. @throws InvalidInputError for a cursor of another list */
  page(filter: ItemFilter, request: PageRequest): Promise<Page<ProjectItem<Definition>>>;
  find(id: string): Promise<ProjectItem<Definition> | undefined>;
  /** Names of those of `ids` that are in the project, archived ones included. */
  named(projectId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** Whether a live one other than `id` has the name. */
  isNameTaken(projectId: string, name: string, id: string): Promise<boolean>;
  /** @throws IdempotencyConflictError; see insertOnce */
  insert(target: ProjectItem<Definition>): Promise<{ document: ProjectItem<Definition>; isNew: boolean }>;
  /** Takes back what has just been inserted. */
  withdraw(target: ProjectItem<Definition>): Promise<void>;
  /** Makes the next revision. @param now by the database's clock. @returns undefined when it is not in this revision any more, or archived */
  replace(
    there: ProjectItem<Definition>,
    next: Pick<ProjectItem<Definition>, 'name' | 'definition'>,
    now: Date,
  ): Promise<ProjectItem<Definition> | undefined>;
  /** @returns false when it is not in this revision any more, or archived */
  archive(there: ProjectItem<Definition>): Promise<boolean>;
}

/** The tests. A state that is replaced is kept, and states are numbered: suite runs take their tests as of a number. */
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

/** How states are kept and numbered. */
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
      // Few are archived. The others are counted from the index alone, which does not tell whether they are.
      const which = isArchived
        ? { filter: { archivedAt: { $exists: true } }, hint: ARCHIVED }
        : {
            filter: { _id: { $nin: await archivedIds(items, [projectId]) } },
            hint: NAMES_OF_PROJECT,
          };
      const named = search === undefined ? {} : { name: containing(search) };
      return readPage<ProjectItem<Definition>, ProjectItem<Definition>>(
        items,
        { filter: { projectId, ...which.filter, ...named }, sort: BY_NAME, hint: which.hint },
        request,
      );
    },
    find: async (id) => (await items.findOne({ _id: id }, OPTIONS)) ?? undefined,
    async named(projectId, ids) {
      // Of many, the names of the whole project from the index alone are read sooner than each document.
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
    async replace(there, next, now) {
      await history?.keep(there);
      const { $set } = nextRevision(there, next, now);
      const stamped = await numbered('changeNumber', there.projectId);
      const replaced = await items.findOneAndUpdate(
        guard(there),
        { $set: { ...$set, ...stamped } },
        { returnDocument: 'after' },
      );
      return replaced ?? undefined;
    },
    async archive(there) {
      const stamped = await numbered('archivedAtChange', there.projectId);
      const { matchedCount } = await items.updateOne(guard(there), {
        $set: stamped,
        $currentDate: { archivedAt: true },
      });
      return matchedCount === 1;
    },
  };
}
