import type { AuditEntry } from '../domain/people.js';
import type { Collections } from './collections.js';

const MAX_TIME_MS = 2000;

/** Where a page of the audit goes on: the last entry of the page before. */
export interface AuditCursor {
  at: Date;
  id: string;
}

/** Who did what. Each call throws the driver's error when the database does not answer in time. */
export interface AuditStore {
  insert(entry: AuditEntry): Promise<void>;
  /** Newest first. @param projectId none, of the whole instance */
  page(projectId: string | undefined, limit: number, after?: AuditCursor): Promise<AuditEntry[]>;
}

export function createAuditStore({ audit }: Pick<Collections, 'audit'>): AuditStore {
  return {
    insert: async (entry) => void (await audit.insertOne(entry)),
    page: (projectId, limit, after) =>
      audit
        .find(
          {
            ...(projectId === undefined ? {} : { projectId }),
            ...(after ? { $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after.id } }] } : {}),
          },
          { maxTimeMS: MAX_TIME_MS },
        )
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}
