import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import { inProject } from '#src/server/http/route-access.js';
import type { ProjectParams } from '#src/server/pages/opened-project.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { PreviewPart } from './page.js';
import { previewOf } from './preview.js';

/** GET /projects/{id}/schedules/preview: the next times of what is entered so far, as a part of the form. */
export function previewRoute({ clock }: Pick<RouteDeps, 'clock'>): ServerRoute {
  return pageRoute<ProjectParams & { Query: { cron: string; timeZone: string } }>({
    path: '/projects/{projectId}/schedules/preview',
    access: inProject('definitions.read'),
    query: { cron: Joi.string().allow('').max(200).default(''), timeZone: Joi.string().allow('').max(60).default('') },
    show: ({ query }) => PreviewPart(previewOf(query.cron, query.timeZone, clock.now())),
  });
}
