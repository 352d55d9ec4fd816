import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { isLive } from '#src/services/tokens/webhook-token-services.js';
import { WebhooksPage } from './page.js';
import { inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { ownersOf } from './webhook-tokens-route.js';

/** GET /projects/{id}/integrations/webhooks: URL templates, tokens, and the latest calls. */
export function webhooksRoute(deps: RouteDeps): ServerRoute {
  const { tokens, publicUrl } = deps;

  async function tokensOf(projectId: string) {
    const now = deps.clock.now();
    const all = await tokens.webhook.list(projectId);
    return { live: all.filter((one) => isLive(one, now)), ended: all.filter((one) => !isLive(one, now)) };
  }

  return pageRoute<ProjectParams & { Query: { show?: 'token' } }>({
    path: '/projects/{projectId}/integrations/webhooks',
    access: inProject('runs.read'),
    query: { show: Joi.string().valid('token') },
    async show(request, page) {
      const project = await openedProject(deps, request);
      const [ofProject, calls, owners] = await Promise.all([
        project.may('webhookTokens.read') ? tokensOf(project.id) : undefined,
        tokens.latestWebhookCalls(project.id),
        ownersOf(deps, project.id),
      ]);
      return WebhooksPage({
        page,
        project,
        publicUrl,
        tokens: ofProject,
        isRevealed: request.query.show === 'token',
        calls: calls.map(({ _id, queuedAt, ...call }) => ({ ...call, runId: _id, at: queuedAt })),
        owners,
      });
    },
  });
}
