import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { PROJECT_TOKEN_SCOPES } from '#src/domain/people/rights.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import { NEW_API_TOKEN } from '#src/web/components/form/api-token-form.js';
import { ConfirmRevokeToken, TokenMade, TokensPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { readApiToken } from '#src/server/forms/api-token-form.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

interface TokenParams {
  Params: { projectId: string; tokenId: string };
}

const path = `${SETTINGS}/tokens` as const;

/** The tab API tokens: those of the project, created (shown once) and revoked. */
export function tokenRoutes(deps: RouteDeps): ServerRoute[] {
  const { api } = deps.tokens;

  return [
    ...formPages<ProjectParams>({
      path,
      access: inProject('apiTokens.edit'),
      readAccess: inProject('apiTokens.read'),
      values: () => NEW_API_TOKEN,
      async show(request, page, form) {
        const project = await openedProject(deps, request);
        return TokensPage({ page, project, form, tokens: await api.list({ projectId: project.id }) });
      },
      async submit(request, form, page) {
        const project = await openedProject(deps, request);
        const input = readApiToken(form, PROJECT_TOKEN_SCOPES, deps.clock.now());
        const { token } = await api.create(callerOf(request), { projectId: project.id }, input, undefined);
        return TokenMade({ page, project, name: input.name, token: token! });
      },
    }),

    ...formPages<TokenParams>({
      path: `${path}/{tokenId}/revoke`,
      access: inProject('apiTokens.edit'),
      async show(request, page, { problem }) {
        const project = await openedProject(deps, request);
        const token = (await api.list({ projectId: project.id })).find(({ id }) => id === request.params.tokenId);
        if (!token) throw new NotFoundError(RESOURCE_NOT_FOUND);
        return ConfirmRevokeToken({ page, project, id: token.id, name: token.name, problem });
      },
      async submit(request) {
        const { projectId, tokenId } = request.params;
        await api.revoke(callerOf(request), { projectId }, tokenId);
        return { goTo: `/projects/${projectId}/settings/tokens`, notice: 'Token revoked.' };
      },
    }),
  ];
}
