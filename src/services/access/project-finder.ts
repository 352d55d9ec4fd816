import type { Collections } from '#src/db/schema/collections.js';
import { projectOf, type OwnedKind } from '#src/db/projects/project-of.js';
import { isUuid } from '#src/domain/ids.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

/**
 * The project that something belongs to, by its id; undefined when it is not there.
 * @throws UnavailableError when the database does not answer
 */
export type ProjectFinder = (kind: OwnedKind, id: string | undefined) => Promise<string | undefined>;

export function createProjectFinder(collections: Collections): ProjectFinder {
  return async (kind, id) => {
    const wanted = id?.toLowerCase() ?? '';
    if (!isUuid(wanted)) return undefined;
    return withinResponseTime(SERVICE_RESPONSE_MS, () => projectOf(collections, kind, wanted));
  };
}
