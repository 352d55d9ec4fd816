import type { Collections } from '#src/db/schema/collections.js';
import { projectOf, type OwnedKind } from '#src/db/projects/project-of.js';
import { isUuid } from '#src/domain/ids.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

/**
 * Looks up the project of a resource; undefined when the resource does not exist.
 * @throws UnavailableError when the database does not respond
 */
export type ProjectFinder = (kind: OwnedKind, id: string | undefined) => Promise<string | undefined>;

export function createProjectFinder(collections: Collections): ProjectFinder {
  return async (kind, id) => {
    const resourceId = id?.toLowerCase() ?? '';
    if (!isUuid(resourceId)) return undefined;
    return withinResponseTime(SERVICE_RESPONSE_MS, () => projectOf(collections, kind, resourceId));
  };
}
