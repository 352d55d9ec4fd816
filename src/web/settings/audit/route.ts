import type { ServerRoute } from '@hapi/hapi';
import { AuditPage } from './page.js';
import { inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { auditQuery, type AskedAudit } from '#src/server/pages/audit-query.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

/** The tab Audit: who did what in the project. */
export function auditPage(deps: RouteDeps): ServerRoute {
  return pageRoute<ProjectParams & { Query: AskedAudit }>({
    path: `${SETTINGS}/audit`,
    access: inProject('audit.read'),
    query: auditQuery,
    async show(request, page) {
      const project = await openedProject(deps, request);
      const { action, actor, ...paging } = request.query;
      const query = { action, actor };
      const entries = await deps.people.audit(project.id, paging, query);
      return AuditPage({ page, project, entries, query });
    },
  });
}
