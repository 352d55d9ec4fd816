import type { ServerRoute } from '@hapi/hapi';
import { InstanceAuditPage } from '../../../../web/pages/admin/audit-page.js';
import { pageRequestOf } from '../../../api/paging.js';
import type { RouteDeps } from '../../../context.js';
import { auditFilterOf, auditQuery, type AskedAudit } from '../../../pages/audit-query.js';
import { pageRoute } from '../../../pages/page-route.js';

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
