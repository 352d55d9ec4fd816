import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { InvalidInputError } from '#src/domain/errors.js';
import { isNetwork } from '#src/domain/tokens/networks.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { TokenNetworksPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import type { Form } from '#src/server/pages/form-fields.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { allowedNetworks } from '#src/server/routes/api/tokens/webhook-tokens.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { tokenOf, webhooksPath, type TokenParams } from '#src/web/integrations/webhooks/webhook-tokens-route.js';

const schema = Joi.object<{ allowedNetworks: string[] | null }>({ allowedNetworks });

/** GET and POST /projects/{id}/integrations/webhooks/{number}/networks */
export function tokenNetworksRoutes(deps: RouteDeps): ServerRoute[] {
  const { webhook } = deps.tokens;
  const path = '/projects/{projectId}/integrations/webhooks/{number}/networks' as const;
  const access = inProject('webhookTokens.edit');

  async function ask(
    request: Request<TokenParams>,
    page: PageContext & { viewer: Viewer },
    again?: { networks: string; problem: FormProblem },
  ) {
    const project = await openedProject(deps, request);
    const token = tokenOf(await webhook.list(project.id), request.params.number);
    const networks = again?.networks ?? token.allowedNetworks?.join('\n') ?? '';
    const { address } = callerOf(request);
    return TokenNetworksPage({ page, project, number: token.number, networks, address, problem: again?.problem });
  }

  return [
    pageRoute<TokenParams>({ path, access, show: (request, page) => ask(request, page) }),
    formRoute<TokenParams>({
      path,
      access,
      async take(request, form) {
        const { projectId, number } = request.params;
        const change = checked(schema, { allowedNetworks: networksIn(form) });
        await webhook.change(callerOf(request), projectId, Number(number), change);
        const from = change.allowedNetworks?.join(', ') ?? 'everywhere';
        return { goTo: webhooksPath(projectId), notice: `Webhook token ${number} accepts calls from ${from}.` };
      },
      again: (request, form, problem, page) => ask(request, page, { networks: form.raw('allowedNetworks'), problem }),
    }),
  ];
}

/** None: from everywhere. @throws InvalidInputError that names the first that is none */
function networksIn(form: Form): string[] | null {
  const list = form
    .raw('allowedNetworks')
    .split(/[\s,]+/)
    .filter(Boolean);
  const wrong = list.find((one) => !isNetwork(one));
  if (wrong === undefined) return list.length > 0 ? list : null;
  const message = `“${wrong}” is neither an address nor a network such as 10.0.0.0/8 or 2001:db8::/32.`;
  throw new InvalidInputError(message, { fields: [{ field: 'allowedNetworks', message }] });
}
