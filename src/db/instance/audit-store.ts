import type { AuditEntry } from '#src/domain/people/people.js';
import type { PageRequest } from '#src/domain/page.js';
import type { Collections } from '#src/db/schema/collections.js';
import { readPage } from '#src/db/query/page.js';

const MAX_TIME_MS = 2000;

export interface AuditFilter {
  /** Such as `webhookToken.rotate`. */
  action?: string;
  /** The email of a person, or the name of a token. */
  actor?: string;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The audit log. Each call throws the driver's error when the database does not answer in time. */
export function createAuditStore({ audit }: Pick<Collections, 'audit'>) {
  return {
    insert: async (entry: AuditEntry): Promise<void> => void (await audit.insertOne(entry)),
    /** Newest first. @param projectId undefined: the whole instance */
    page(projectId: string | undefined, request: PageRequest, { action, actor }: AuditFilter = {}) {
      // A person has few entries, so the action is filtered among those.
      const by = actor !== undefined ? 'actor.name' : action !== undefined ? 'action' : undefined;
      return readPage(
        audit,
        {
          filter: { projectId, action, 'actor.name': actor },
          sort: [
            { field: 'at', order: -1, type: 'date' },
            { field: '_id', order: -1, type: 'text' },
          ],
          hint: {
            ...(projectId === undefined ? {} : { projectId: 1 }),
            ...(by === undefined ? {} : { [by]: 1 }),
            at: -1,
            _id: -1,
          },
          maxTimeMS: MAX_TIME_MS,
        },
        request,
      );
    },
  };
}
