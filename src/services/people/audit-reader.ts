import type { AuditStore } from '../../db/audit.js';
import type { KeysetPage, KeysetRequest } from '../../domain/keyset.js';
import type { AuditEntry } from '../../domain/people.js';

/** Who did what, newest first. @param projectId none, of the whole instance */
export type AuditReader = (
  projectId: string | undefined,
  request: KeysetRequest,
) => Promise<KeysetPage<AuditEntry> & { count: number }>;

export function createAuditReader(store: AuditStore): AuditReader {
  return async (projectId, request) => {
    const [page, count] = await Promise.all([store.page(projectId, request), store.count(projectId)]);
    return { ...page, count };
  };
}
