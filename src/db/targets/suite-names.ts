import type { Suite } from '#src/domain/records.js';
import type { Collections } from '#src/db/schema/collections.js';
import { NAMES_OF_PROJECT } from './live-targets.js';

/**
 * The names of a project's suites, by name.
 * @throws the driver's error when the database does not answer in time
 */
export function suiteNames(
  { suites }: Pick<Collections, 'suites'>,
  projectId: string,
  max: number,
): Promise<Pick<Suite, '_id' | 'name'>[]> {
  return suites
    .find(
      { projectId, archivedAt: { $exists: false } },
      { projection: { name: 1 }, hint: NAMES_OF_PROJECT, maxTimeMS: 2000 },
    )
    .sort({ name: 1, _id: 1 })
    .limit(max)
    .toArray();
}
