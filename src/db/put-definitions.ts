import type { Collection } from 'mongodb';
import type { Suite, Test, TestRevision } from '../domain/records.js';
import type { Schedule } from '../domain/schedule.js';
import type { Collections } from './collections.js';
import { asTargets, converge, type Target, type TargetCollection, type Wanted } from './converge-targets.js';
import { chunksOf } from './definitions.js';
import { ignoreDuplicateKeys } from './duplicate-key.js';

/** Makes and changes tests as wanted; see `converge`. A state that is replaced is kept in `test_revisions`. */
export async function putTests(
  { tests, testRevisions }: Collections,
  projectId: string,
  wanted: readonly Wanted<Test>[],
): Promise<void> {
  await converge(asTargets(tests), projectId, wanted, (replaced) => keepRevisions(testRevisions, replaced as Test[]));
}

/** Keeps states of tests that are about to be replaced: before the change itself. Safe to repeat. */
export async function keepRevisions(testRevisions: Collection<TestRevision>, replaced: readonly Test[]): Promise<void> {
  // The content of a revision never changes, so whoever writes it writes the same.
  const operations = replaced.map(({ _id, name, definition, revision, modifiedAt }) => {
    const replacement = { testId: _id, name, definition, revision, modifiedAt };
    return { replaceOne: { filter: { _id: `${_id}:${revision}` }, replacement, upsert: true } };
  });
  if (operations.length > 0) await testRevisions.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicateKeys);
}

/** Makes and changes suites as wanted; see `converge`. */
export async function putSuites(
  { suites }: Collections,
  projectId: string,
  wanted: readonly Wanted<Suite>[],
): Promise<void> {
  await converge(asTargets(suites), projectId, wanted, async () => {});
}

/** Makes and changes schedules as wanted; see `converge`. */
export async function putSchedules(
  { schedules }: Collections,
  projectId: string,
  wanted: readonly Wanted<Schedule>[],
): Promise<void> {
  await converge(asTargets(schedules), projectId, wanted, async () => {});
}

/** A project's tests, suites or schedules as they are, archived ones too. */
export async function statesOf(collection: TargetCollection, projectId: string): Promise<Target[]> {
  return asTargets(collection).find({ projectId }).toArray();
}

/** Archives a project's tests, suites or schedules that are not among `ids`. Safe to repeat. */
export async function archiveOthers(
  collection: TargetCollection,
  projectId: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  const live = asTargets(collection).find({ projectId, archivedAt: { $exists: false } }, { projection: { _id: 1 } });
  const gone = (await live.toArray()).map(({ _id }) => _id).filter((id) => !ids.has(id));
  for (const some of chunksOf(gone))
    await asTargets(collection).updateMany(
      { _id: { $in: some }, archivedAt: { $exists: false } },
      { $set: { archivedAt: new Date() } },
    );
}

/** Those of `ids` that are tests, suites or schedules of another project. */
export async function idsOfOthers(
  collection: TargetCollection,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of chunksOf(ids)) {
    const others = asTargets(collection).find(
      { _id: { $in: some }, projectId: { $ne: projectId } },
      { projection: { _id: 1 } },
    );
    for await (const { _id } of others) found.add(_id);
  }
  return found;
}
