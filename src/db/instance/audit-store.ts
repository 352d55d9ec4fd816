import type { AuditEntry } from '#src/domain/people/people.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import type { Collections } from '#src/db/schema/collections.js';
import { readPage } from '#src/db/query/page.js';

const MAX_TIME_MS = 2000;

/** Which entries of the audit. */
export interface AuditFilter {
  /** As `webhookToken.rotate`. */
  action?: string | undefined;
  /** Name of who did it: an email, or a token's name. */
  actor?: string | undefined;
}

/** Who did what. Each call throws the driver's error when the database does not answer in time. */
export interface AuditStore {
  insert(entry: AuditEntry): Promise<void>;
  /** Newest first. @param projectId none, of the whole instance */
  page(projectId: string | undefined, request: PageRequest, filter?: AuditFilter): Promise<Page<AuditEntry>>;
}

export function createAuditStore({ audit }: Pick<Collections, 'audit'>): AuditStore {
  return {
    insert: async (entry) => void (await audit.insertOne(entry)),
    page(projectId, request, { action, actor } = {}) {
      const ofProject = projectId === undefined ? {} : { projectId };
      // One person's entries are few: of these, those of an action are looked for.
      const by = actor !== undefined ? 'actor.name' : action !== undefined ? 'action' : undefined;
      return readPage(
        audit,
        {
          filter: {
            ...ofProject,
            ...(action === undefined ? {} : { action }),
            ...(actor === undefined ? {} : { 'actor.name': actor }),
          },
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
