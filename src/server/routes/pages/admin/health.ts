import type { ServerRoute } from '@hapi/hapi';
import { HealthPage } from '../../../../web/pages/admin/health-page.js';
import type { RouteDeps } from '../../../context.js';
import { pageRoute } from '../../../pages/page-route.js';

/** GET /admin/health: shows what is away, and answers whatever is. */
export function healthPage({ instance, version, temporalUi }: RouteDeps): ServerRoute {
  return pageRoute({
    path: '/admin/health',
    access: { right: 'instance.read' },
    show: async (_request, page) =>
      HealthPage({ page, version, temporalUiUrl: temporalUi?.url, ...(await instance.health()) }),
  });
}
