import type { ServerRoute } from '@hapi/hapi';
import { InstanceAuditPage } from './page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { auditQuery, type AskedAudit } from '#src/server/pages/audit-query.js';
import { pageRoute } from '#src/server/pages/page-route.js';

/** GET /admin/audit: who did what, everywhere. */
export function instanceAuditPage({ people }: RouteDeps): ServerRoute {
  return pageRoute<{ Query: AskedAudit }>({
    path: '/admin/audit',
    access: { right: 'instance.read' },
    query: auditQuery,
    async show(request, page) {
      const { action, actor, ...paging } = request.query;
      const query = { action, actor };
      const entries = await people.audit(undefined, paging, query);
      return InstanceAuditPage({ page, entries, query });
    },
  });
}
