import type { ServerRoute } from '@hapi/hapi';
import { SCOPES } from '#src/domain/people/rights.js';
import { apiTokenPages } from '#src/server/forms/api-token-pages.js';
import { principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { ApiTokensPage } from './page.js';

/** /profile/tokens: the viewer's API tokens. */
export function accountTokenRoutes(deps: RouteDeps): ServerRoute[] {
  return apiTokenPages(deps, {
    path: '/profile/tokens',
    access: { right: 'account.edit' },
    scopes: SCOPES,
    ownerOf: (request) => ({ userId: principalOf(request).userId! }),
    show: (_request, page, children, created) => ApiTokensPage({ page, children, created }),
  });
}
