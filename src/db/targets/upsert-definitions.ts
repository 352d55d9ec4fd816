import type { Collection } from 'mongodb';
import type { Clock } from '#src/domain/clock.js';
import type { ProjectItem, Test, TestRevision } from '#src/domain/records.js';
import type { ScheduleDefinition } from '#src/domain/schedules/schedule.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import { nextChangeNumber } from './change-numbers.js';
import type { Collections } from '#src/db/schema/collections.js';
import { converge, type DefinitionInput } from './converge-targets.js';
import { chunksOf } from './definitions.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';
import { idsOf } from '#src/db/query/ids-of.js';

/** Creates and updates tests; see `converge`. Replaced states are kept in `test_revisions`. */
export async function upsertTests(
  collections: Collections,
  projectId: string,
  inputs: readonly DefinitionInput<TestDefinition>[],
  clock: Clock,
): Promise<void> {
  await converge(collections.tests, projectId, inputs, clock, {
    keep: (replaced) => keepRevisions(collections.testRevisions, replaced),
    stamp: async () => ({ changeNumber: await nextChangeNumber(collections, projectId) }),
  });
}

/** Stores the states of tests that are about to be replaced. Safe to repeat. */
export async function keepRevisions(testRevisions: Collection<TestRevision>, replaced: readonly Test[]): Promise<void> {
  // The content of a revision never changes, so concurrent writes are identical.
  const operations = replaced.map(({ _id, name, definition, revision, modifiedAt, changeNumber }) => {
    const replacement = { testId: _id, name, definition, revision, modifiedAt, changeNumber };
    return { replaceOne: { filter: { _id: `${_id}:${revision}` }, replacement, upsert: true } };
  });
  if (operations.length > 0) await testRevisions.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicateKeys);
}

/** Creates and updates suites; see `converge`. */
export async function upsertSuites(
  { suites }: Collections,
  projectId: string,
  inputs: readonly DefinitionInput<SuiteDefinition>[],
  clock: Clock,
): Promise<void> {
  await converge(suites, projectId, inputs, clock);
}

/** Creates and updates schedules; see `converge`. */
export async function upsertSchedules(
  { schedules }: Collections,
  projectId: string,
  inputs: readonly DefinitionInput<ScheduleDefinition>[],
  clock: Clock,
): Promise<void> {
  await converge(schedules, projectId, inputs, clock);
}

/** A project's tests, suites or schedules, archived ones included. */
export async function statesOf<Definition extends object>(
  collection: Collection<ProjectItem<Definition>>,
  projectId: string,
): Promise<ProjectItem<Definition>[]> {
  return collection.find({ projectId }).toArray();
}

/**
 * Archives a project's tests, suites or schedules except `ids`. Safe to repeat.
 * @param stamp further fields of the archived items; called only if there are some
 */
export async function archiveOthers<Definition extends object>(
  collection: Collection<ProjectItem<Definition>>,
  projectId: string,
  ids: ReadonlySet<string>,
  stamp: () => Promise<Pick<ProjectItem<object>, 'archivedAtChange'>> = async () => ({}),
): Promise<void> {
  const live = await idsOf(collection, { projectId, archivedAt: { $exists: false } });
  const others = live.filter((id) => !ids.has(id));
  if (others.length === 0) return;
  const stamped = await stamp();
  for (const some of chunksOf(others))
    await collection.updateMany(
      { _id: { $in: some }, archivedAt: { $exists: false } },
      { $set: stamped, $currentDate: { archivedAt: true } },
    );
}

/** The `ids` that belong to another project. */
export async function idsOfOthers<Definition extends object>(
  collection: Collection<ProjectItem<Definition>>,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of chunksOf(ids)) {
    const others = collection.find({ _id: { $in: some }, projectId: { $ne: projectId } }, { projection: { _id: 1 } });
    for await (const { _id } of others) found.add(_id);
  }
  return found;
}
