import type { Request, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { SCOPES } from '#src/domain/people/rights.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import { NEW_API_TOKEN } from '#src/web/components/form/api-token-form.js';
import { ApiTokenMade, ApiTokensPage, ConfirmRevokeApiToken } from './page.js';
import { callerOf, principalOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { readApiToken } from '#src/server/forms/api-token-form.js';
import { formPages } from '#src/server/forms/form-pages.js';

const path = '/profile/tokens';
const access = { right: 'account.edit' } as const;
const ownerOf = (request: Pick<Request, 'app'>) => ({ userId: principalOf(request).userId! });

/** /profile/tokens: the viewer's API tokens, created (shown once) and revoked. */
export function apiTokenPages({ tokens: { api }, clock }: RouteDeps): ServerRoute[] {
  return [
    ...formPages({
      path,
      access,
      values: () => NEW_API_TOKEN,
      show: async (request, page, form) => ApiTokensPage({ page, form, tokens: await api.list(ownerOf(request)) }),
      async submit(request, form, page) {
        const input = readApiToken(form, SCOPES, clock.now());
        const { token } = await api.create(callerOf(request), ownerOf(request), input, undefined);
        return ApiTokenMade({ page, name: input.name, token: token! });
      },
    }),

    ...formPages<{ Params: { tokenId: string } }>({
      path: `${path}/{tokenId}/revoke`,
      access,
      async show(request, page, { problem }) {
        const token = (await api.list(ownerOf(request))).find(({ id }) => id === request.params.tokenId);
        if (!token) throw new NotFoundError(RESOURCE_NOT_FOUND);
        return ConfirmRevokeApiToken({ page, token, problem });
      },
      async submit(request) {
        await api.revoke(callerOf(request), ownerOf(request), request.params.tokenId);
        return { goTo: path, notice: 'Token revoked.' };
      },
    }),
  ];
}
