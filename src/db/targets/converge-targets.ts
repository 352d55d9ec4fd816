import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { changeOf } from '#src/domain/targets/definition-changes.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError } from '#src/domain/errors.js';
import type { ProjectItem } from '#src/domain/records.js';
import { chunksOf } from './definitions.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';

/** An item as a project file wants it. */
export type Wanted<Definition extends object> = Pick<ProjectItem<Definition>, 'name' | 'definition'> & { id: string };

/** A round is lost only to another import of the same project. */
const MAX_ROUNDS = 10;

/**
 * Compares, writes what differs and compares again until nothing does: so it may be killed anywhere and repeated, and
 * run twice at once. Every change is guarded by the revision that was compared.
 * @param clock the database's
 * @param hooks.keep called with what is about to be replaced
 * @param hooks.stamp fields of every state that a round writes; asked for after the states before it were read
 * @throws ConflictError when others keep changing the same targets
 */
export async function converge<Definition extends object>(
  collection: Collection<ProjectItem<Definition>>,
  projectId: string,
  wanted: readonly Wanted<Definition>[],
  clock: Clock,
  { keep, stamp }: ConvergeHooks<Definition> = {},
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const there = new Map((await collection.find({ projectId }).toArray()).map((target) => [target._id, target]));
    const different = wanted.filter((one) => changeOf(there.get(one.id), one) !== undefined);
    if (different.length === 0) return;
    const stamped = (await stamp?.()) ?? {};
    const changes = different.flatMap((one) => changeTo(one, there.get(one.id), projectId, stamped, clock.now()));
    for (const some of chunksOf(changes)) {
      await keep?.(some.flatMap(({ replaces }) => replaces ?? []));
      const operations = some.map(({ operation }) => operation);
      await collection.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicateKeys);
    }
  }
  throw new ConflictError(
    'changing',
    'Someone else is changing the same tests, suites or schedules. Import the file again.',
  );
}

export interface ConvergeHooks<Definition extends object> {
  keep?: (replaced: ProjectItem<Definition>[]) => Promise<void>;
  stamp?: () => Promise<Stamp>;
}

type Stamp = Pick<ProjectItem<object>, 'changeNumber'>;

interface Change<Definition extends object> {
  operation: AnyBulkWriteOperation<ProjectItem<Definition>>;
  replaces?: ProjectItem<Definition>;
}

const UNARCHIVED = { archivedAt: '', archivedAtChange: '' } as const;

function changeTo<Definition extends object>(
  wanted: Wanted<Definition>,
  there: ProjectItem<Definition> | undefined,
  projectId: string,
  stamped: Stamp,
  now: Date,
): Change<Definition>[] {
  const change = changeOf(there, wanted);
  if (!change) return [];
  const { id, name, definition } = wanted;
  if (!there) {
    const document = { _id: id, projectId, name, definition, revision: 1, modifiedAt: now, ...stamped };
    return [{ operation: { insertOne: { document } } }];
  }
  const filter = { _id: id, projectId, revision: there.revision };
  if (!change.fields) return [{ operation: { updateOne: { filter, update: { $unset: UNARCHIVED } } } }];
  const { $set } = nextRevision(there, { name, definition }, now);
  const update = { $set: { ...$set, ...stamped }, $unset: UNARCHIVED };
  return [{ operation: { updateOne: { filter, update } }, replaces: there }];
}

/**
 * The update that makes the next revision of a test or suite; its filter names the revision it comes from.
 * @param now by the database's clock
 */
export function nextRevision<Next extends Pick<ProjectItem<object>, 'name' | 'definition'>>(
  there: ProjectItem<object>,
  next: Next,
  now: Date,
): { $set: Next & Pick<ProjectItem<object>, 'revision' | 'modifiedAt'> } {
  // Later than the state before it, also after the database's clock was set back.
  const modifiedAt = new Date(Math.max(now.getTime(), there.modifiedAt.getTime() + 1));
  return { $set: { ...next, revision: there.revision + 1, modifiedAt } };
}
