import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { changeOf } from '../domain/definition-changes.js';
import { ConflictError } from '../domain/errors.js';
import type { Suite, Test } from '../domain/records.js';
import type { Schedule } from '../domain/schedule.js';
import { chunksOf } from './definitions.js';
import { ignoreDuplicateKeys } from './duplicate-key.js';

/** A test, suite or schedule as a project file wants it. */
export interface Wanted<T extends Test | Suite | Schedule = Test | Suite | Schedule> {
  id: string;
  name: string;
  definition: T['definition'];
}

/** The collections of tests, suites and schedules have the same shape; what differs is the type of the definition. */
export type Target = Omit<Test, 'definition'> & { definition: (Test | Suite | Schedule)['definition'] };

/** One of these collections. */
export type TargetCollection = Collection<Test> | Collection<Suite> | Collection<Schedule>;

/** A round is lost only to another import of the same project. */
const MAX_ROUNDS = 10;

/**
 * Compares, writes what differs and compares again until nothing does: so it may be killed anywhere and repeated, and
 * run twice at once. Every change is guarded by the revision that was compared.
 * @param hooks.keep called with what is about to be replaced
 * @param hooks.stamp fields of every state that a round writes; asked for after the states before it were read
 * @throws ConflictError when others keep changing the same targets
 */
export async function converge(
  collection: Collection<Target>,
  projectId: string,
  wanted: readonly Wanted[],
  { keep, stamp }: ConvergeHooks = {},
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const there = new Map((await collection.find({ projectId }).toArray()).map((target) => [target._id, target]));
    const different = wanted.filter((one) => changeOf(there.get(one.id), one) !== undefined);
    if (different.length === 0) return;
    const stamped = (await stamp?.()) ?? {};
    const changes = different.flatMap((one) => changeTo(one, there.get(one.id), projectId, stamped));
    for (const some of chunksOf(changes)) {
      await keep?.(some.flatMap(({ replaces }) => replaces ?? []));
      const operations = some.map(({ operation }) => operation);
      await collection.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicateKeys);
    }
  }
  throw new ConflictError(
    'changing',
    'Somebody else is changing the same tests, suites or schedules; import the file again.',
  );
}

export interface ConvergeHooks {
  keep?: (replaced: Target[]) => Promise<void>;
  stamp?: () => Promise<Pick<Target, 'changeNumber'>>;
}

interface Change {
  operation: AnyBulkWriteOperation<Target>;
  replaces?: Target;
}

const UNARCHIVED = { archivedAt: '', archivedAtChange: '' } as const;

function changeTo(
  wanted: Wanted,
  there: Target | undefined,
  projectId: string,
  stamped: Pick<Target, 'changeNumber'>,
): Change[] {
  const change = changeOf(there, wanted);
  if (!change) return [];
  const { id, name, definition } = wanted;
  if (!there) {
    const document = { _id: id, projectId, name, definition, revision: 1, modifiedAt: new Date(), ...stamped };
    return [{ operation: { insertOne: { document } } }];
  }
  const filter = { _id: id, projectId, revision: there.revision };
  if (!change.fields) return [{ operation: { updateOne: { filter, update: { $unset: UNARCHIVED } } } }];
  const { $set } = nextRevision(there, { name, definition });
  const update = { $set: { ...$set, ...stamped }, $unset: UNARCHIVED };
  return [{ operation: { updateOne: { filter, update } }, replaces: there }];
}

/** The update that makes the next revision of a test or suite; its filter names the revision it comes from. */
export function nextRevision(there: Target, next: Pick<Target, 'name' | 'definition'>): { $set: Partial<Target> } {
  // Later than the state before it, whatever the clocks say.
  const modifiedAt = new Date(Math.max(Date.now(), there.modifiedAt.getTime() + 1));
  return { $set: { ...next, revision: there.revision + 1, modifiedAt } };
}

/** The collection of tests, suites or schedules as one of any. */
export function asTargets(collection: TargetCollection): Collection<Target> {
  return collection as unknown as Collection<Target>;
}
