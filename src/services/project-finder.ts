import type { Collections } from '../db/collections.js';
import { projectOf, type OwnedKind } from '../db/project-of.js';
import { isUuid } from '../domain/ids.js';
import { SERVICE_ANSWER_MS, withinAnswerTime } from './within-answer-time.js';

/**
 * The project that something belongs to, by its id; undefined when it is not there.
 * @throws UnavailableError when the database does not answer
 */
export type ProjectFinder = (kind: OwnedKind, id: string | undefined) => Promise<string | undefined>;

export function createProjectFinder(collections: Collections): ProjectFinder {
  return async (kind, id) => {
    const wanted = id?.toLowerCase() ?? '';
    if (!isUuid(wanted)) return undefined;
    return withinAnswerTime(SERVICE_ANSWER_MS, () => projectOf(collections, kind, wanted));
  };
}
