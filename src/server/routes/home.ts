import type { ServerRoute } from '@hapi/hapi';
import { HomePage } from '../../web/home-page.js';
import { defineRoute, type RouteDeps } from '../context.js';
import { pageResponse } from '../page-response.js';

const LATEST = 50;

/** GET /: the latest runs. */
export function homeRoute({ reader, publicUrl }: RouteDeps): ServerRoute {
  return defineRoute({
    method: 'GET',
    path: '/',
    options: { app: { access: { right: 'self.read' } } },
    async handler(_request, h) {
      return pageResponse(h, HomePage({ runs: await reader.latest(LATEST), publicUrl, now: new Date() }));
    },
  });
}
