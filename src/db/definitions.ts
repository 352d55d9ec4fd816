import type { TestDefinition } from '../domain/definitions.js';
import type { Test, TestRevision } from '../domain/records.js';
import type { Collections } from './collections.js';

/** Ids in one query at most: the answer with their definitions stays a few MB. */
const CHUNK = 1000;

/** A test as it was at a moment. */
export interface TestAsOf {
  name: string;
  definition: TestDefinition;
  revision: number;
}

/** Slices of up to 1,000, in order. */
export function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK);
}

/**
 * Tests as they were at a moment, by id. One that was not there yet, or was archived at that moment, is absent.
 * @throws the driver's error when the database does not answer
 */
export async function testsAsOf(
  { tests, testRevisions }: Pick<Collections, 'tests' | 'testRevisions'>,
  testIds: readonly string[],
  at: Date,
): Promise<Map<string, TestAsOf>> {
  const found = new Map<string, TestAsOf>();
  const projection = { name: 1, definition: 1, revision: 1, modifiedAt: 1, archivedAt: 1 };
  for (const ids of chunksOf([...new Set(testIds)])) {
    const current = await tests.find({ _id: { $in: ids } }, { projection }).toArray();
    const present = current.filter(({ archivedAt }) => archivedAt === undefined || archivedAt > at);
    const changedSince = present.filter(({ modifiedAt }) => modifiedAt > at);
    for (const test of present) if (test.modifiedAt <= at) found.set(test._id, asOf(test));
    if (changedSince.length === 0) continue;
    const earlier = testRevisions.aggregate<{ _id: string; latest: TestRevision }>([
      { $match: { testId: { $in: changedSince.map(({ _id }) => _id) }, modifiedAt: { $lte: at } } },
      { $sort: { testId: 1, modifiedAt: -1 } },
      { $group: { _id: '$testId', latest: { $first: '$$ROOT' } } },
    ]);
    for await (const { _id, latest } of earlier) found.set(_id, asOf(latest));
  }
  return found;
}

function asOf({ name, definition, revision }: Test | TestRevision): TestAsOf {
  return { name, definition, revision };
}
