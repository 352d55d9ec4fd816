import type { AuditEntry } from '../domain/people.js';
import type { Page, PageRequest } from '../domain/page.js';
import type { Collections } from './collections.js';
import { readPage } from './page.js';

const MAX_TIME_MS = 2000;

/** Who did what. Each call throws the driver's error when the database does not answer in time. */
export interface AuditStore {
  insert(entry: AuditEntry): Promise<void>;
  /** Newest first. @param projectId none, of the whole instance */
  page(projectId: string | undefined, request: PageRequest): Promise<Page<AuditEntry>>;
}

export function createAuditStore({ audit }: Pick<Collections, 'audit'>): AuditStore {
  return {
    insert: async (entry) => void (await audit.insertOne(entry)),
    page: (projectId, request) =>
      readPage(
        audit,
        {
          filter: projectId === undefined ? {} : { projectId },
          sort: [
            { field: 'at', order: -1, type: 'date' },
            { field: '_id', order: -1, type: 'text' },
          ],
          hint: projectId === undefined ? { at: -1, _id: -1 } : { projectId: 1, at: -1, _id: -1 },
          maxTimeMS: MAX_TIME_MS,
        },
        request,
      ),
  };
}
