import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { changeOf } from '#src/domain/targets/definition-changes.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError } from '#src/domain/errors.js';
import type { ProjectItem } from '#src/domain/records.js';
import { chunksOf } from './definitions.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';

/** A test, suite or schedule of a project file. */
export type DefinitionInput<Definition extends object> = Pick<ProjectItem<Definition>, 'name' | 'definition'> & {
  id: string;
};

/** A round fails only if another import changes the same project meanwhile. */
const MAX_ROUNDS = 10;

/**
 * Compares, writes the differences and compares again until there are none. It can be interrupted and repeated, and two
 * calls can run at the same time: every write is guarded by the revision that was compared.
 * @param clock the database's
 * @param hooks.keep called with the states that are about to be replaced
 * @param hooks.stamp fields of every state that a round writes; called after the previous states were read
 * @throws ConflictError when others keep changing the same targets
 */
export async function converge<Definition extends object>(
  collection: Collection<ProjectItem<Definition>>,
  projectId: string,
  inputs: readonly DefinitionInput<Definition>[],
  clock: Clock,
  { keep, stamp }: ConvergeHooks<Definition> = {},
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const existing = new Map((await collection.find({ projectId }).toArray()).map((target) => [target._id, target]));
    const different = inputs.filter((one) => changeOf(existing.get(one.id), one) !== undefined);
    if (different.length === 0) return;
    const stamped = (await stamp?.()) ?? {};
    const changes = different.flatMap((one) => changeTo(one, existing.get(one.id), projectId, stamped, clock.now()));
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
  input: DefinitionInput<Definition>,
  existing: ProjectItem<Definition> | undefined,
  projectId: string,
  stamped: Stamp,
  now: Date,
): Change<Definition>[] {
  const change = changeOf(existing, input);
  if (!change) return [];
  const { id, name, definition } = input;
  if (!existing) {
    const document = { _id: id, projectId, name, definition, revision: 1, modifiedAt: now, ...stamped };
    return [{ operation: { insertOne: { document } } }];
  }
  const filter = { _id: id, projectId, revision: existing.revision };
  if (!change.fields) return [{ operation: { updateOne: { filter, update: { $unset: UNARCHIVED } } } }];
  const { $set } = nextRevision(existing, { name, definition }, now);
  const update = { $set: { ...$set, ...stamped }, $unset: UNARCHIVED };
  return [{ operation: { updateOne: { filter, update } }, replaces: existing }];
}

/**
 * The update that writes the next revision of a test or suite; use it with a filter for the existing revision.
 * @param now by the database's clock
 */
export function nextRevision<Next extends Pick<ProjectItem<object>, 'name' | 'definition'>>(
  existing: ProjectItem<object>,
  next: Next,
  now: Date,
): { $set: Next & Pick<ProjectItem<object>, 'revision' | 'modifiedAt'> } {
  // Later than the previous state, even after the database's clock was set back.
  const modifiedAt = new Date(Math.max(now.getTime(), existing.modifiedAt.getTime() + 1));
  return { $set: { ...next, revision: existing.revision + 1, modifiedAt } };
}
