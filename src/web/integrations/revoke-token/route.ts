import type { ServerRoute } from '@hapi/hapi';
import { ConfirmRevokeToken } from './page.js';
import { isLive } from '#src/services/tokens/webhook-token-services.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { tokenOf, webhooksPath, type TokenParams } from '#src/web/integrations/webhooks/webhook-tokens-route.js';

/** GET and POST /projects/{id}/integrations/webhooks/{number}/revoke */
export function revokeTokenRoutes(deps: RouteDeps): ServerRoute[] {
  const { webhook } = deps.tokens;
  return formPages<TokenParams>({
    path: '/projects/{projectId}/integrations/webhooks/{number}/revoke',
    access: inProject('webhookTokens.edit'),
    async show(request, page, { problem }) {
      const project = await openedProject(deps, request);
      const all = await webhook.list(project.id);
      const token = tokenOf(all, request.params.number);
      const now = deps.clock.now();
      const isOnly = isLive(token, now) && all.filter((one) => isLive(one, now)).length === 1;
      return ConfirmRevokeToken({ page, project, token, isOnly, problem });
    },
    async submit(request) {
      const { projectId, number } = request.params;
      const revoked = await webhook.revoke(callerOf(request), projectId, Number(number));
      return { goTo: webhooksPath(projectId), notice: `Webhook token ${revoked.number} revoked.` };
    },
  });
}
