import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { RunFromOutsidePage, type OutsideTab } from '../../../../web/pages/integrations/run-from-outside-page.js';
import type { WebhookOfTarget } from '../../../../web/pages/integrations/webhook-tab.js';
import type { RouteDeps } from '../../../context.js';
import { pageRoute } from '../../../pages/page-route.js';
import { ofTarget, type TargetKind, type TargetParams } from '../targets/kinds.js';
import { openedProject } from '../../../pages/opened-project.js';
import { ownersOf } from './webhook-tokens.js';

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
    access: ofTarget(kind, 'definitions.read', deps),
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
