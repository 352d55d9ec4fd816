import type { Collection } from 'mongodb';
import type { Clock } from '#src/domain/clock.js';
import type { ProjectItem, Test, TestRevision } from '#src/domain/records.js';
import type { ScheduleDefinition } from '#src/domain/schedules/schedule.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import { nextChangeNumber } from './change-numbers.js';
import type { Collections } from '#src/db/schema/collections.js';
import { converge, type Wanted } from './converge-targets.js';
import { chunksOf } from './definitions.js';
import { ignoreDuplicateKeys } from '#src/db/query/duplicate-key.js';

/** Makes and changes tests as wanted; see `converge`. A state that is replaced is kept in `test_revisions`. */
export async function putTests(
  collections: Collections,
  projectId: string,
  wanted: readonly Wanted<TestDefinition>[],
  clock: Clock,
): Promise<void> {
  await converge(collections.tests, projectId, wanted, clock, {
    keep: (replaced) => keepRevisions(collections.testRevisions, replaced),
    stamp: async () => ({ changeNumber: await nextChangeNumber(collections, projectId) }),
  });
}

/** Keeps states of tests that are about to be replaced: before the change itself. Safe to repeat. */
export async function keepRevisions(testRevisions: Collection<TestRevision>, replaced: readonly Test[]): Promise<void> {
  // The content of a revision never changes, so whoever writes it writes the same.
  const operations = replaced.map(({ _id, name, definition, revision, modifiedAt, changeNumber }) => {
    const stamped = changeNumber === undefined ? {} : { changeNumber };
    const replacement = { testId: _id, name, definition, revision, modifiedAt, ...stamped };
    return { replaceOne: { filter: { _id: `${_id}:${revision}` }, replacement, upsert: true } };
  });
  if (operations.length > 0) await testRevisions.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicateKeys);
}

/** Makes and changes suites as wanted; see `converge`. */
export async function putSuites(
  { suites }: Collections,
  projectId: string,
  wanted: readonly Wanted<SuiteDefinition>[],
  clock: Clock,
): Promise<void> {
  await converge(suites, projectId, wanted, clock);
}

/** Makes and changes schedules as wanted; see `converge`. */
export async function putSchedules(
  { schedules }: Collections,
  projectId: string,
  wanted: readonly Wanted<ScheduleDefinition>[],
  clock: Clock,
): Promise<void> {
  await converge(schedules, projectId, wanted, clock);
}

/** A project's tests, suites or schedules as they are, archived ones too. */
export async function statesOf<Definition extends object>(
  collection: Collection<ProjectItem<Definition>>,
  projectId: string,
): Promise<ProjectItem<Definition>[]> {
  return collection.find({ projectId }).toArray();
}

/**
 * Archives a project's tests, suites or schedules that are not among `ids`. Safe to repeat.
 * @param stamp further fields of those that are archived; asked for only when there are some
 */
export async function archiveOthers<Definition extends object>(
  collection: Collection<ProjectItem<Definition>>,
  projectId: string,
  ids: ReadonlySet<string>,
  stamp: () => Promise<Pick<ProjectItem<object>, 'archivedAtChange'>> = async () => ({}),
): Promise<void> {
  const live = collection.find({ projectId, archivedAt: { $exists: false } }, { projection: { _id: 1 } });
  const gone = (await live.toArray()).map(({ _id }) => _id).filter((id) => !ids.has(id));
  if (gone.length === 0) return;
  const stamped = await stamp();
  for (const some of chunksOf(gone))
    await collection.updateMany(
      { _id: { $in: some }, archivedAt: { $exists: false } },
      { $set: stamped, $currentDate: { archivedAt: true } },
    );
}

/** Those of `ids` that are tests, suites or schedules of another project. */
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
