import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import { decideInInstance, decideInProject, type ProjectRight } from '#src/domain/people/rights.js';
import type { SeenProject } from '#src/services/projects/project-service.js';
import { HomePage, type HomePageProps } from './page.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import { paging } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';

const PAGE = 50;

/** GET /: the projects that are open to the caller, and how each does. */
export function homeRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<{ Query: { search?: string; cursor?: string } }>({
    path: '/',
    access: { right: 'self.read' },
    query: { search: Joi.string().trim().empty('').max(200), cursor: paging.cursor },
    async show(request, page) {
      const { search, cursor } = request.query;
      const asked = { limit: PAGE, cursor };
      const found = await deps.definitions.projects.list(callerOf(request), search, asked);
      const health = await deps.stats.ofProjects(found.items.map(({ project }) => project._id));
      const isFirst = search === undefined && cursor === undefined;
      const isNew = isFirst && [...health.values()].every(({ lastRunAt }) => lastRunAt === undefined);
      const items = found.items.map(({ project: { _id, name }, role }) => ({
        id: _id,
        name,
        role,
        health: health.get(_id) ?? { tests: 0, suites: 0, failing: 0, openRuns: 0 },
      }));
      return HomePage({
        page,
        projects: { ...found, items },
        search,
        mayCreate: decideInInstance(principalOf(request), 'projects.create') === 'allowed',
        welcome: isNew ? await welcome(deps, found.items, may(request)) : undefined,
      });
    },
  });
}

type May = (seen: SeenProject, right: ProjectRight) => boolean;

function may(request: Parameters<typeof principalOf>[0]): May {
  const principal = principalOf(request);
  return ({ project, role }, right) =>
    decideInProject(principal, right, project._id, role === 'admin' ? undefined : role) === 'allowed';
}

/** How far a person without a first run has come: with the project that has a test, else the first. */
async function welcome(
  { definitions, publicUrl }: RouteDeps,
  projects: readonly SeenProject[],
  may: May,
): Promise<HomePageProps['welcome']> {
  const seen = projects[0];
  if (!seen) return { publicUrl };
  const { _id, name } = seen.project;
  const [test] = (await definitions.tests.list({ projectId: _id, isArchived: false }, { limit: 1 })).items;
  return {
    publicUrl,
    project: { id: _id, name, mayEdit: may(seen, 'definitions.edit'), mayRun: may(seen, 'webhookTokens.read') },
    test: test && { id: test._id, name: test.name },
  };
}
