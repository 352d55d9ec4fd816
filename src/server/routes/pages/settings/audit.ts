import type { ServerRoute } from '@hapi/hapi';
import { AuditPage } from '../../../../web/pages/settings/audit-page.js';
import { pageRequestOf } from '../../../api/paging.js';
import type { RouteDeps } from '../../../context.js';
import { auditFilterOf, auditQuery, type AskedAudit } from '../../../pages/audit-query.js';
import { pageRoute } from '../../../pages/page-route.js';
import { ofProject, projectOf, SETTINGS, type ProjectParams } from './project-of.js';

/** The tab Audit: who did what in the project. */
export function auditPage(deps: RouteDeps): ServerRoute {
  return pageRoute<ProjectParams & { Query: AskedAudit }>({
    path: `${SETTINGS}/audit`,
    access: ofProject('audit.read'),
    query: auditQuery,
    async show(request, page) {
      const { project } = await projectOf(deps, request);
      const query = auditFilterOf(request.query);
      const entries = await deps.people.audit(project.id, pageRequestOf(request.query), query);
      return AuditPage({ page, project, entries, query });
    },
  });
}
