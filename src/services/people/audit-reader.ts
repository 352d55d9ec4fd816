import type { AuditFilter, AuditStore } from '../../db/audit.js';
import type { Page, PageRequest } from '../../domain/page.js';
import type { AuditEntry } from '../../domain/people.js';

/** Who did what, newest first. @param projectId none, of the whole instance */
export type AuditReader = (
  projectId: string | undefined,
  request: PageRequest,
  filter?: AuditFilter,
) => Promise<Page<AuditEntry>>;

export function createAuditReader(store: AuditStore): AuditReader {
  return (projectId, request, filter) => store.page(projectId, request, filter);
}
