import type { Request, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { PROJECT_TOKEN_SCOPES } from '#src/domain/people/rights.js';
import { NOTHING_HERE } from '#src/services/access/access-control.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { ConfirmRevokeToken, TokenMade, TokensPage, type TokensPageProps } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { typedApiToken, wantedApiToken } from '#src/server/pages/api-token-form.js';
import { confirmRoutes } from '#src/server/pages/confirm-routes.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { SETTINGS } from '#src/web/settings/redirect.js';

interface TokenParams {
  Params: { projectId: string; tokenId: string };
}

const path = `${SETTINGS}/tokens` as const;

/** The tab API tokens: those of the project, made (shown once) and revoked. */
export function tokenRoutes(deps: RouteDeps): ServerRoute[] {
  const { api } = deps.tokens;

  async function shown(
    request: Pick<Request, 'app'>,
    page: PageContext & { viewer: Viewer },
    wrong: Pick<TokensPageProps, 'typed' | 'problem'> = {},
  ) {
    const project = await openedProject(deps, request);
    return TokensPage({ page, project, tokens: await api.list({ projectId: project.id }), ...wrong });
  }

  return [
    pageRoute<ProjectParams>({
      path,
      access: inProject('apiTokens.read'),
      show: (request, page) => shown(request, page),
    }),

    formRoute<ProjectParams>({
      path,
      access: inProject('apiTokens.edit'),
      async take(request, form, page) {
        const project = await openedProject(deps, request);
        const input = wantedApiToken(form, PROJECT_TOKEN_SCOPES, deps.clock.now());
        const { token } = await api.create(callerOf(request), { projectId: project.id }, input, undefined);
        return TokenMade({ page, project, name: input.name, token: token! });
      },
      again: (request, form, problem, page) => shown(request, page, { typed: typedApiToken(form), problem }),
    }),

    ...confirmRoutes<TokenParams>({
      path: `${path}/{tokenId}/revoke`,
      access: inProject('apiTokens.edit'),
      async ask(request, page, problem) {
        const project = await openedProject(deps, request);
        const token = (await api.list({ projectId: project.id })).find(({ id }) => id === request.params.tokenId);
        if (!token) throw new NotFoundError(NOTHING_HERE);
        return ConfirmRevokeToken({ page, project, id: token.id, name: token.name, problem });
      },
      async take(request) {
        const { projectId, tokenId } = request.params;
        await api.revoke(callerOf(request), { projectId }, tokenId);
        return {
          goTo: `/projects/${projectId}/settings/tokens`,
          notice: 'Token revoked.',
        };
      },
    }),
  ];
}
