import { nextChangeNumber } from './change-numbers.js';
import type { Collections } from './collections.js';
import type { Page, PageRequest } from '../domain/page.js';
import type { Test } from '../domain/records.js';
import { asTargets, nextRevision, type Target } from './converge-targets.js';
import { insertOnce } from './insert-once.js';
import { containing } from './containing.js';
import { readPage, type PageQuery } from './page.js';
import { keepRevisions } from './put-definitions.js';
import { ARCHIVED, archivedIds, NAMES_OF_PROJECT } from './live-targets.js';

export type { Target } from './converge-targets.js';

const OPTIONS = { maxTimeMS: 2000 };
const MANY_IDS = 1000;
const BY_NAME: PageQuery<Target>['sort'] = [
  { field: 'name', order: 1, type: 'text' },
  { field: '_id', order: 1, type: 'text' },
];

export interface TargetFilter {
  projectId: string;
  isArchived: boolean;
  /** Part of the name, in any case. */
  search?: string;
}

/** The tests, the suites or the schedules. Each call throws the driver's error when the database does not answer in time. */
export interface TargetStore {
  /** By name. @throws InvalidInputError for a cursor of another list */
  page(filter: TargetFilter, request: PageRequest): Promise<Page<Target>>;
  find(id: string): Promise<Target | undefined>;
  /** Names of those of `ids` that are in the project, archived ones included. */
  named(projectId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** Whether a live one other than `id` has the name. */
  isNameTaken(projectId: string, name: string, id: string): Promise<boolean>;
  /** @throws IdempotencyConflictError; see insertOnce */
  insert(target: Target): Promise<{ document: Target; isNew: boolean }>;
  /** Takes back what has just been inserted. */
  withdraw(target: Target): Promise<void>;
  /** Makes the next revision. @returns undefined when it is not in this revision any more, or archived */
  replace(there: Target, next: Pick<Target, 'name' | 'definition'>): Promise<Target | undefined>;
  /** @returns false when it is not in this revision any more, or archived */
  archive(there: Target): Promise<boolean>;
}

export function createTargetStore(
  collections: Pick<Collections, 'tests' | 'suites' | 'schedules' | 'testRevisions' | 'changeNumbers'>,
  kind: 'test' | 'suite' | 'schedule',
): TargetStore {
  const targets = asTargets(collections[`${kind}s`]);
  const guard = ({ _id, revision }: Target) => ({ _id, revision, archivedAt: { $exists: false } });
  /** Only the states of tests are numbered: suite runs take their tests as of a number. */
  async function numbered(field: 'changeNumber' | 'archivedAtChange', projectId: string): Promise<Partial<Target>> {
    return kind === 'test' ? { [field]: await nextChangeNumber(collections, projectId) } : {};
  }

  return {
    async page({ projectId, isArchived, search }, request) {
      // Few are archived. The others are counted from the index alone, which does not tell whether they are.
      const which = isArchived
        ? { filter: { archivedAt: { $exists: true } }, hint: ARCHIVED }
        : {
            filter: { _id: { $nin: await archivedIds(targets, [projectId]) } },
            hint: NAMES_OF_PROJECT,
          };
      const named = search === undefined ? {} : { name: containing(search) };
      return readPage<Target, Target>(
        targets,
        { filter: { projectId, ...which.filter, ...named }, sort: BY_NAME, hint: which.hint },
        request,
      );
    },
    find: async (id) => (await targets.findOne({ _id: id }, OPTIONS)) ?? undefined,
    async named(projectId, ids) {
      // Of many, the names of the whole project from the index alone are read sooner than each document.
      const which =
        ids.length > MANY_IDS
          ? { filter: { projectId }, hint: NAMES_OF_PROJECT }
          : { filter: { _id: { $in: [...ids] }, projectId }, hint: '_id_' };
      const found = await targets
        .find(which.filter, { ...OPTIONS, hint: which.hint, projection: { name: 1 }, batchSize: 10_000 })
        .toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },
    async isNameTaken(projectId, name, id) {
      const filter = { projectId, name, archivedAt: { $exists: false }, _id: { $ne: id } };
      return (await targets.findOne(filter, { ...OPTIONS, projection: { _id: 1 } })) !== null;
    },
    insert: async (target) => insertOnce(targets, { ...target, ...(await numbered('changeNumber', target.projectId)) }),
    withdraw: async (target) => void (await targets.deleteOne(guard(target))),
    async replace(there, next) {
      if (kind === 'test') await keepRevisions(collections.testRevisions, [there as Test]);
      const { $set } = nextRevision(there, next);
      const stamped = await numbered('changeNumber', there.projectId);
      const replaced = await targets.findOneAndUpdate(
        guard(there),
        { $set: { ...$set, ...stamped } },
        { returnDocument: 'after' },
      );
      return replaced ?? undefined;
    },
    async archive(there) {
      const stamped = await numbered('archivedAtChange', there.projectId);
      const { matchedCount } = await targets.updateOne(guard(there), {
        $set: stamped,
        $currentDate: { archivedAt: true },
      });
      return matchedCount === 1;
    },
  };
}
