import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import { SORT_CHOICES, VERDICT_CHOICES, type ListWishes } from './list-filters.js';
import { TargetListPage } from './page.js';
import type { ListedTarget } from './target-table.js';
import { paging } from '#src/server/api/shapes.js';
import { inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';

type Sort = 'name' | 'lastRun' | 'passRate' | 'duration';

interface ListQuery {
  search?: string;
  verdict?: 'passed' | 'failed' | 'error' | 'bad';
  sort?: Sort;
  cursor?: string;
}

const PAGE = 50;

/** An empty field of the filters says nothing. */
const optional = (schema: Joi.StringSchema) => schema.trim().empty('');

/** GET /projects/{id}/tests or /suites: with how each does. */
export function listRoute(deps: RouteDeps, kind: TargetKind): ServerRoute {
  return pageRoute<ProjectParams & { Query: ListQuery }>({
    path: `/projects/{projectId}/${kind}s`,
    access: inProject('definitions.read'),
    query: {
      search: optional(Joi.string()).max(200),
      verdict: optional(Joi.string()).valid(...Object.keys(VERDICT_CHOICES)),
      sort: optional(Joi.string()).valid(...Object.keys(SORT_CHOICES)),
      cursor: paging.cursor,
    },
    async show(request, page) {
      const { search, verdict, sort = 'name', cursor } = request.query;
      const { projectId } = request.params;
      const asked: PageRequest = { limit: PAGE, cursor };
      // Verdicts are in no order by name.
      const order = verdict !== undefined && sort === 'name' ? 'lastRun' : sort;
      const [project, list] = await Promise.all([
        openedProject(deps, request),
        order === 'name'
          ? byName(deps, kind, projectId, search, asked)
          : byNumbers(deps, { kind, projectId, search, verdict, sort: order }, asked),
      ]);
      const wishes: ListWishes = { search, verdict, sort: order };
      return TargetListPage({ page, project, kind, wishes, list });
    },
  });
}

async function byName(
  { definitions, stats }: RouteDeps,
  kind: TargetKind,
  projectId: string,
  search: string | undefined,
  asked: PageRequest,
): Promise<Page<ListedTarget>> {
  const filter = { projectId, isArchived: false, search };
  const found = await definitions[`${kind}s`].list(filter, asked);
  const numbers = await stats.ofTargets(found.items.map(({ _id }) => _id));
  const items = found.items.map(({ _id, name }) => ({ id: _id, name, numbers: numbers.get(_id) ?? { recent: [] } }));
  return { ...found, items };
}

interface ByNumbers {
  kind: TargetKind;
  projectId: string;
  search: string | undefined;
  verdict: ListQuery['verdict'];
  sort: Exclude<Sort, 'name'>;
}

async function byNumbers(
  { stats }: RouteDeps,
  { verdict, ...query }: ByNumbers,
  asked: PageRequest,
): Promise<Page<ListedTarget>> {
  const statuses = verdict === 'bad' ? (['failed', 'error'] as const) : verdict && ([verdict] as const);
  const found = await stats.pageByVerdict({ ...query, statuses }, asked);
  return { ...found, items: found.items.map(({ targetId, name, stats }) => ({ id: targetId, name, numbers: stats })) };
}
