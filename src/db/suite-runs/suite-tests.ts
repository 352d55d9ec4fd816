import type { Collections } from '#src/db/schema/collections.js';
import { chunksOf } from '#src/db/targets/definitions.js';

const OPTIONS = { maxTimeMS: 2000 };

/** The `ids` of live tests of the project. */
export async function liveTestsAmong(
  { tests }: Pick<Collections, 'tests'>,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const live = new Set<string>();
  for (const some of chunksOf([...new Set(ids)])) {
    const filter = { _id: { $in: some }, projectId, archivedAt: { $exists: false } };
    for await (const { _id } of tests.find(filter, { ...OPTIONS, projection: { _id: 1 } })) live.add(_id);
  }
  return live;
}

/** Names of up to `limit` live suites that contain the test. */
export async function suitesWith(
  { suites }: Pick<Collections, 'suites'>,
  projectId: string,
  testId: string,
  limit: number,
): Promise<string[]> {
  const filter = { projectId, 'definition.tests': testId, archivedAt: { $exists: false } };
  const found = suites.find(filter, { ...OPTIONS, projection: { name: 1 } }).sort({ name: 1 });
  return (await found.limit(limit).toArray()).map(({ name }) => name);
}
