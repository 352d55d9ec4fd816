import type { Request, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { SCOPES } from '#src/domain/people/rights.js';
import { NOTHING_HERE } from '#src/services/access/access-control.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { ApiTokenMade, ApiTokensPage, ConfirmRevokeApiToken, type ApiTokensPageProps } from './page.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { typedApiToken, wantedApiToken } from '#src/server/pages/api-token-form.js';
import { confirmRoutes } from '#src/server/pages/confirm-routes.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';

const path = '/profile/tokens';
const access = { right: 'account.edit' } as const;
const ownerOf = (request: Pick<Request, 'app'>) => ({ userId: principalOf(request).userId! });

/** /profile/tokens: the viewer's API tokens, made (shown once) and revoked. */
export function apiTokenPages({ tokens: { api }, clock }: RouteDeps): ServerRoute[] {
  async function shown(
    request: Pick<Request, 'app'>,
    page: PageContext & { viewer: Viewer },
    wrong: Pick<ApiTokensPageProps, 'typed' | 'problem'> = {},
  ) {
    return ApiTokensPage({ page, tokens: await api.list(ownerOf(request)), ...wrong });
  }

  return [
    pageRoute({ path, access, show: (request, page) => shown(request, page) }),

    formRoute({
      path,
      access,
      async take(request, form, page) {
        const input = wantedApiToken(form, SCOPES, clock.now());
        const { token } = await api.create(callerOf(request), ownerOf(request), input, undefined);
        return ApiTokenMade({ page, name: input.name, token: token! });
      },
      again: (request, form, problem, page) => shown(request, page, { typed: typedApiToken(form), problem }),
    }),

    ...confirmRoutes<{ Params: { tokenId: string } }>({
      path: `${path}/{tokenId}/revoke`,
      access,
      async ask(request, page, problem) {
        const token = (await api.list(ownerOf(request))).find(({ id }) => id === request.params.tokenId);
        if (!token) throw new NotFoundError(NOTHING_HERE);
        return ConfirmRevokeApiToken({ page, token, problem });
      },
      async take(request) {
        await api.revoke(callerOf(request), ownerOf(request), request.params.tokenId);
        return { goTo: path, notice: 'Token revoked.' };
      },
    }),
  ];
}
