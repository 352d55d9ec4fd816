import type { ServerRoute } from '@hapi/hapi';
import { AuditPage } from '../../../../web/pages/settings/audit-page.js';
import { pageRequestOf } from '../../../api/paging.js';
import { inProject } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { auditFilterOf, auditQuery, type AskedAudit } from '../../../pages/audit-query.js';
import { pageRoute } from '../../../pages/page-route.js';
import { openedProject, type ProjectParams } from '../../../pages/opened-project.js';
import { SETTINGS } from './settings.js';

/** The tab Audit: who did what in the project. */
export function auditPage(deps: RouteDeps): ServerRoute {
  return pageRoute<ProjectParams & { Query: AskedAudit }>({
    path: `${SETTINGS}/audit`,
    access: inProject('audit.read'),
    query: auditQuery,
    async show(request, page) {
      const project = await openedProject(deps, request);
      const query = auditFilterOf(request.query);
      const entries = await deps.people.audit(project.id, pageRequestOf(request.query), query);
      return AuditPage({ page, project, entries, query });
    },
  });
}
