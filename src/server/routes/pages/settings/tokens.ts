import type { Request, ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '../../../../domain/errors.js';
import { PROJECT_TOKEN_SCOPES } from '../../../../domain/rights.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import type { PageContext, Viewer } from '../../../../web/layout/viewer.js';
import {
  ConfirmRevokeToken,
  TokenMade,
  TokensPage,
  type TokensPageProps,
} from '../../../../web/pages/settings/tokens-page.js';
import { callerOf, inProject } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { typedApiToken, wantedApiToken } from '../../../pages/api-token-form.js';
import { confirmRoutes } from '../../../pages/confirm-routes.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';
import { openedProject, type ProjectParams } from '../../../pages/opened-project.js';
import { SETTINGS } from './settings.js';

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
        const wanted = wantedApiToken(form, PROJECT_TOKEN_SCOPES);
        const { token } = await api.create(callerOf(request), { projectId: project.id }, wanted, undefined);
        return TokenMade({ page, project, name: wanted.name, token: token! });
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
          notice: 'The token is revoked. It opens nothing any more.',
        };
      },
    }),
  ];
}
