import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { InvalidInputError } from '#src/domain/errors.js';
import { isNetwork } from '#src/domain/tokens/networks.js';
import { TokenNetworksPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { readForm, writeFields } from '#src/server/forms/read-form.js';
import type { TextValue } from '#src/server/forms/text-values.js';
import { allowedNetworks } from '#src/server/routes/api/tokens/webhook-tokens.js';
import { openedProject } from '#src/server/pages/opened-project.js';
import { tokenOf, webhooksPath, type TokenParams } from '#src/web/integrations/webhooks/webhook-tokens-route.js';

const schema = Joi.object<{ allowedNetworks?: string[] }>({ allowedNetworks });

/** GET and POST /projects/{id}/integrations/webhooks/{number}/networks */
export function tokenNetworksRoutes(deps: RouteDeps): ServerRoute[] {
  const { webhook } = deps.tokens;
  const path = '/projects/{projectId}/integrations/webhooks/{number}/networks' as const;
  const access = inProject('webhookTokens.edit');

  const tokenIn = async ({ projectId, number }: TokenParams['Params']) =>
    tokenOf(await webhook.list(projectId), number);

  return formPages<TokenParams>({
    path,
    access,
    values: async ({ params }) => writeFields(FIELDS, await tokenIn(params)),
    async show(request, page, form) {
      const project = await openedProject(deps, request);
      const { number } = await tokenIn(request.params);
      return TokenNetworksPage({ page, project, form, number, address: callerOf(request).address });
    },
    async submit(request, form) {
      const { projectId, number } = request.params;
      const { allowedNetworks = null } = readForm(form, schema, FIELDS);
      await webhook.change(callerOf(request), projectId, Number(number), { allowedNetworks });
      const from = allowedNetworks?.join(', ') ?? 'everywhere';
      return { goTo: webhooksPath(projectId), notice: `Webhook token ${number} accepts calls from ${from}.` };
    },
  });
}

/** Separated by spaces or commas. */
const networksText: TextValue<string[]> = {
  read(text) {
    const networks = text.split(/[\s,]+/).filter(Boolean);
    const wrong = networks.find((one) => !isNetwork(one));
    if (wrong !== undefined)
      throw new InvalidInputError(
        `“${wrong}” is neither an address nor a network such as 10.0.0.0/8 or 2001:db8::/32.`,
      );
    return networks.length > 0 ? networks : undefined;
  },
  write: (networks) => networks.join('\n'),
};
const FIELDS = { allowedNetworks: networksText };
