import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { randomId } from '#src/domain/ids.js';
import { isLive } from '#src/services/tokens/webhook-token-services.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { RotateTokenPage } from './page.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { KEEP_HOURS, keepOldForHours } from '#src/server/routes/api/tokens/webhook-tokens.js';
import { openedProject, type ProjectParams } from '#src/server/pages/opened-project.js';
import { webhooksPath } from '#src/web/integrations/webhooks/webhook-tokens-route.js';

const schema = Joi.object<{ keepOldForHours: number }>({ keepOldForHours: keepOldForHours.required() });

/** GET and POST /projects/{id}/integrations/webhooks/rotate */
export function rotateTokenRoutes(deps: RouteDeps): ServerRoute[] {
  const { webhook } = deps.tokens;
  const path = '/projects/{projectId}/integrations/webhooks/rotate' as const;
  const access = inProject('webhookTokens.edit');

  async function ask(
    request: Request<ProjectParams>,
    page: PageContext & { viewer: Viewer },
    { formKey = randomId(), hours = String(KEEP_HOURS), problem }: Asked = {},
  ) {
    const project = await openedProject(deps, request);
    const now = deps.clock.now();
    const liveTokens = (await webhook.list(project.id)).filter((one) => isLive(one, now)).length;
    return RotateTokenPage({ page, project, liveTokens, formKey, hours, problem });
  }

  return [
    pageRoute<ProjectParams>({ path, access, show: (request, page) => ask(request, page) }),
    formRoute<ProjectParams>({
      path,
      access,
      async take(request, form) {
        const { projectId } = request.params;
        const { keepOldForHours: hours } = checked(schema, { keepOldForHours: form.number('keepOldForHours') });
        // Who goes back and chooses another time means another rotation.
        const key = form.text('key');
        const idempotencyKey = key === undefined ? undefined : `${key} ${hours}`;
        await webhook.rotate(callerOf(request), { projectId, keepOldForHours: hours, idempotencyKey });
        return { goTo: webhooksPath(projectId), notice: noticeOf(hours) };
      },
      again: (request, form, problem, page) =>
        ask(request, page, { formKey: form.raw('key'), hours: form.raw('keepOldForHours'), problem }),
    }),
  ];
}

interface Asked {
  formKey?: string;
  hours?: string;
  problem?: FormProblem;
}

function noticeOf(hours: number): string {
  return hours === 0
    ? 'Webhook token created. Older tokens are revoked. Update the URLs wherever they are used.'
    : `Webhook token created. Older tokens expire in at most ${hours} hours. Update the URLs wherever they are used by then.`;
}
