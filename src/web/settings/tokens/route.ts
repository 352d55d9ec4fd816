import type { ServerRoute } from '@hapi/hapi';
import { PROJECT_TOKEN_SCOPES } from '#src/domain/people/rights.js';
import { apiTokenPages } from '#src/server/forms/api-token-pages.js';
import { inProject } from '#src/server/http/route-access.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { SETTINGS } from '#src/web/settings/redirect.js';
import { TokensPage } from './page.js';

/** The tab API tokens. */
export function tokenRoutes(deps: RouteDeps): ServerRoute[] {
  return apiTokenPages(deps, {
    path: `${SETTINGS}/tokens`,
    access: inProject('apiTokens.edit'),
    readAccess: inProject('apiTokens.read'),
    scopes: PROJECT_TOKEN_SCOPES,
    ownerOf: ({ app }) => ({ projectId: app.project!.id }),
    async show(request, page, children, created) {
      return TokensPage({ page, project: await openedProject(deps, request), children, created });
    },
  });
}
