import type { ServerRoute } from '@hapi/hapi';
import { ConfirmRevokeToken } from '../../../../web/pages/integrations/confirm-revoke-token.js';
import { isLive } from '../../../../services/tokens/webhook-tokens.js';
import { callerOf, inProject } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { confirmRoutes } from '../../../pages/confirm-routes.js';
import { openedProject } from '../../../pages/opened-project.js';
import { tokenOf, webhooksPath, type TokenParams } from './webhook-tokens.js';

/** GET and POST /projects/{id}/integrations/webhooks/{number}/revoke */
export function revokeTokenRoutes(deps: RouteDeps): ServerRoute[] {
  const { webhook } = deps.tokens;
  return confirmRoutes<TokenParams>({
    path: '/projects/{projectId}/integrations/webhooks/{number}/revoke',
    access: inProject('webhookTokens.edit'),
    async ask(request, page, problem) {
      const project = await openedProject(deps, request);
      const all = await webhook.list(project.id);
      const token = tokenOf(all, request.params.number);
      const now = deps.clock.now();
      const isOnly = isLive(token, now) && all.filter((one) => isLive(one, now)).length === 1;
      return ConfirmRevokeToken({ page, project, token, isOnly, problem });
    },
    async take(request) {
      const { projectId, number } = request.params;
      const revoked = await webhook.revoke(callerOf(request), projectId, Number(number));
      return { goTo: webhooksPath(projectId), notice: `Webhook token ${revoked.number} is revoked.` };
    },
  });
}
