import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { RunFromOutsidePage, type OutsideTab } from './page.js';
import type { WebhookOfTarget } from './webhook-tab.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { ofItem, type TargetParams } from '#src/server/pages/item-access.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { ownersOf } from '#src/web/integrations/webhooks/webhook-tokens-route.js';

/** GET /tests/{id}/run-from-outside, or a suite's: the webhook URL and the command, ready to copy. */
export function runFromOutsideRoute(deps: RouteDeps, kind: TargetKind): ServerRoute {
  const { definitions, tokens, publicUrl } = deps;

  async function webhookOf(projectId: string): Promise<WebhookOfTarget> {
    const token = await tokens.webhook.current(projectId);
    if (!token) return 'no-token';
    return { token: token.token, expiresAt: token.expiresAt, allowedNetworks: token.allowedNetworks };
  }

  return pageRoute<TargetParams & { Query: { tab: OutsideTab } }>({
    path: `/${kind}s/{targetId}/run-from-outside`,
    access: ofItem(kind, 'definitions.read', deps),
    query: { tab: Joi.string().valid('cli', 'webhook').default('webhook') },
    async show(request, page) {
      const { params, query } = request;
      const project = await openedProject(deps, request);
      const seesToken = project.may('webhookTokens.read');
      const [{ _id: id, name, archivedAt }, webhook, owners] = await Promise.all([
        definitions[`${kind}s`].get(params.targetId.toLowerCase()),
        seesToken ? webhookOf(project.id) : ('not-allowed' as const),
        ownersOf(deps, project.id),
      ]);
      const target = { id, name, isArchived: archivedAt !== undefined };
      return RunFromOutsidePage({
        page,
        project: { ...project, slug: project.record.slug },
        kind,
        target,
        tab: query.tab,
        publicUrl,
        webhook,
        owners,
      });
    },
  });
}
