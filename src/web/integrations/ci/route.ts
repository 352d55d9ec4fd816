import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { CI_SNIPPETS } from '#src/web/texts/ci-snippets.js';
import { CiPage } from './page.js';
import { uuid } from '#src/server/api/shapes.js';
import { inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { ownersOf } from '#src/web/integrations/webhooks/webhook-tokens-route.js';

/** How many suites one can choose among. */
const SUITES_MAX = 100;
const IDS = CI_SNIPPETS.map(({ id }) => id);

interface Refs extends ProjectParams {
  Query: { for: string; suite?: string };
}

/** GET /projects/{id}/integrations/ci: jobs for CI services that run a suite of the project. */
export function ciRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<Refs>({
    path: '/projects/{projectId}/integrations/ci',
    access: inProject('definitions.read'),
    query: {
      for: Joi.string()
        .valid(...IDS)
        .default(IDS[0]),
      suite: uuid,
    },
    async show(request, page) {
      const { query } = request;
      const project = await openedProject(deps, request);
      const [listed, owners] = await Promise.all([
        deps.definitions.suiteNames(project.id, SUITES_MAX),
        ownersOf(deps, project.id),
      ]);
      const suites = listed.map(({ _id: id, name }) => ({ id, name }));
      const suite = suites.find(({ id }) => id === query.suite) ?? suites[0];
      const { publicUrl } = deps;
      return CiPage({ page, project, publicUrl, snippets: CI_SNIPPETS, current: query.for, suites, suite, owners });
    },
  });
}
