import Joi from 'joi';
import type { ServerRoute } from '@hapi/hapi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { Suite, Test } from '#src/domain/records.js';
import { SuitePage } from './suite-page.js';
import type { TargetPageProps } from './target-page.js';
import { TestPage } from './test-page.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { ofItem, type TargetParams } from '#src/server/pages/item-access.js';
import { entriesOf } from '#src/web/targets/form/suite-entries.js';

const LATEST = 10;
const TESTS_AT_FIRST = 100;

type ShowRefs = TargetParams & { Query: { tests?: 'all' } };
type ShowRequest = Parameters<typeof principalOf>[0] & Parameters<typeof openedProject>[1];

/** GET /tests/{id} and /suites/{id} */
export function showRoutes(deps: RouteDeps): ServerRoute[] {
  const { tests, suites } = deps.definitions;
  const access = (kind: TargetKind) => ofItem(kind, 'definitions.read', deps);
  return [
    pageRoute<TargetParams>({
      path: '/tests/{targetId}',
      access: access('test'),
      async show(request, page) {
        const test = await tests.get(request.params.targetId);
        return TestPage({ ...(await common(deps, request, page, test)), definition: test.definition });
      },
    }),
    pageRoute<ShowRefs>({
      path: '/suites/{targetId}',
      access: access('suite'),
      query: { tests: Joi.string().valid('all') },
      async show(request, page) {
        const suite = await suites.get(request.params.targetId);
        const ids = suite.definition.tests;
        const shown = request.query.tests === 'all' ? ids : ids.slice(0, TESTS_AT_FIRST);
        const [about, entries] = await Promise.all([
          common(deps, request, page, suite),
          entriesOf(tests, suite.projectId, shown),
        ]);
        return SuitePage({ ...about, definition: suite.definition, entries });
      },
    }),
  ];
}

/** What the pages of a test and of a suite have in common. */
async function common(
  deps: RouteDeps,
  request: ShowRequest,
  page: SignedInPage,
  { _id, projectId, name, revision, modifiedAt, archivedAt }: Test | Suite,
): Promise<TargetPageProps> {
  const [project, numbers, latest, schedules] = await Promise.all([
    openedProject(deps, request),
    deps.stats.ofTargets([_id]),
    deps.runs.list(principalOf(request), { projectId, targetId: _id }, { limit: LATEST }),
    deps.definitions.scheduleViews.ofProject(projectId, _id),
  ]);
  return {
    page,
    project,
    target: { id: _id, name, revision, modifiedAt, isArchived: archivedAt !== undefined },
    numbers: numbers.get(_id) ?? { recent: [] },
    runs: latest.items.map((run) => ({ ...run, id: run._id })),
    schedules,
    now: deps.clock.now(),
  };
}
