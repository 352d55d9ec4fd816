import type { AuditFilter, AuditStore } from '#src/db/instance/audit-store.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import type { AuditEntry } from '#src/domain/people/people.js';

/** Lists audit entries, newest first. @param projectId undefined: of the whole instance */
export type AuditReader = (
  projectId: string | undefined,
  request: PageRequest,
  filter?: AuditFilter,
) => Promise<Page<AuditEntry>>;

export function createAuditReader(store: AuditStore): AuditReader {
  return (projectId, request, filter) => store.page(projectId, request, filter);
}
