import type { ServerRoute } from '@hapi/hapi';
import { InstanceAuditPage } from './page.js';
import { pageRequestOf } from '#src/server/api/paging.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { auditFilterOf, auditQuery, type AskedAudit } from '#src/server/pages/audit-query.js';
import { pageRoute } from '#src/server/pages/page-route.js';

/** GET /admin/audit: who did what, everywhere. */
export function instanceAuditPage({ people }: RouteDeps): ServerRoute {
  return pageRoute<{ Query: AskedAudit }>({
    path: '/admin/audit',
    access: { right: 'instance.read' },
    query: auditQuery,
    async show(request, page) {
      const query = auditFilterOf(request.query);
      const entries = await people.audit(undefined, pageRequestOf(request.query), query);
      return InstanceAuditPage({ page, entries, query });
    },
  });
}
