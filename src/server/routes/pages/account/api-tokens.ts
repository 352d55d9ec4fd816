import type { Request, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '../../../../domain/errors.js';
import { SCOPES } from '../../../../domain/rights.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import type { PageContext, Viewer } from '../../../../web/layout/viewer.js';
import {
  ApiTokenMade,
  ApiTokensPage,
  ConfirmRevokeApiToken,
  type ApiTokensPageProps,
} from '../../../../web/pages/account/api-tokens-page.js';
import { callerOf, principalOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { typedApiToken, wantedApiToken } from '../../../pages/api-token-form.js';
import { confirmRoutes } from '../../../pages/confirm-routes.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';

const path = '/profile/tokens';
const access = { right: 'account.edit' } as const;
const ownerOf = (request: Pick<Request, 'app'>) => ({ userId: principalOf(request).userId! });

/** /profile/tokens: the viewer's API tokens, made (shown once) and revoked. */
export function apiTokenPages({ tokens: { api } }: RouteDeps): ServerRoute[] {
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
        const wanted = wantedApiToken(form, SCOPES);
        const { token } = await api.create(callerOf(request), ownerOf(request), wanted, undefined);
        return ApiTokenMade({ page, name: wanted.name, token: token! });
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
        return { goTo: path, notice: 'The token is revoked. It opens nothing any more.' };
      },
    }),
  ];
}
