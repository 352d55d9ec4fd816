import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { randomId } from '#src/domain/ids.js';
import { isLive } from '#src/services/tokens/webhook-token-services.js';
import { RotateTokenPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { readForm } from '#src/server/forms/read-form.js';
import { numberText } from '#src/server/forms/text-values.js';
import { KEEP_HOURS, keepOldForHours } from '#src/server/routes/api/tokens/webhook-tokens.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { webhooksPath } from '#src/web/integrations/webhooks/webhook-tokens-route.js';

const schema = Joi.object<{ keepOldForHours: number }>({ keepOldForHours: keepOldForHours.required() });

/** GET and POST /projects/{id}/integrations/webhooks/rotate */
export function rotateTokenRoutes(deps: RouteDeps): ServerRoute[] {
  const { webhook } = deps.tokens;
  const path = '/projects/{projectId}/integrations/webhooks/rotate' as const;
  const access = inProject('webhookTokens.edit');

  return formPages<ProjectParams>({
    path,
    access,
    values: () => ({ key: randomId(), keepOldForHours: String(KEEP_HOURS) }),
    async show(request, page, form) {
      const project = await openedProject(deps, request);
      const now = deps.clock.now();
      const liveTokens = (await webhook.list(project.id)).filter((one) => isLive(one, now)).length;
      return RotateTokenPage({ page, project, form, liveTokens });
    },
    async submit(request, form) {
      const { projectId } = request.params;
      const { keepOldForHours: hours } = readForm(form, schema, { keepOldForHours: numberText });
      // Another period from the same form is another rotation.
      const key = form.text('key');
      const idempotencyKey = key === undefined ? undefined : `${key} ${hours}`;
      await webhook.rotate(callerOf(request), { projectId, keepOldForHours: hours, idempotencyKey });
      return { goTo: webhooksPath(projectId), notice: noticeOf(hours) };
    },
  });
}

function noticeOf(hours: number): string {
  return hours === 0
    ? 'Webhook token created. Older tokens are revoked. Update the URLs wherever they are used.'
    : `Webhook token created. Older tokens expire in at most ${hours} hours. Update the URLs wherever they are used by then.`;
}
