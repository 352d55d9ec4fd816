import type { ServerRoute } from '@hapi/hapi';
import { HomePage } from '../../web/pages/home-page.js';
import { defineRoute, type RouteDeps } from '../context.js';
import { principalOf } from '../access.js';
import { pageResponse } from '../page-response.js';
import { pageContextOf } from '../pages/page-context.js';

const LATEST = 50;

/** GET /: the latest runs of the projects that are open to the caller. */
export function homeRoute({ reader, publicUrl, visibleProjects }: RouteDeps): ServerRoute {
  return defineRoute({
    method: 'GET',
    path: '/',
    options: { app: { access: { right: 'self.read' } } },
    async handler(request, h) {
      const runs = await reader.latest(LATEST, await visibleProjects(principalOf(request)));
      return pageResponse(h, HomePage({ runs, publicUrl, now: new Date(), page: pageContextOf(request) }));
    },
  });
}
