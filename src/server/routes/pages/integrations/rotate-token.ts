import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { randomId } from '../../../../domain/ids.js';
import { isLive } from '../../../../services/tokens/webhook-tokens.js';
import type { FormProblem } from '../../../../web/components/form.js';
import type { PageContext, Viewer } from '../../../../web/layout/viewer.js';
import { RotateTokenPage } from '../../../../web/pages/integrations/rotate-token-page.js';
import { callerOf, inProject } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { checked } from '../../../pages/checked.js';
import { formRoute } from '../../../pages/form-route.js';
import { pageRoute } from '../../../pages/page-route.js';
import { KEEP_HOURS, keepOldForHours } from '../../api/tokens/webhook-tokens.js';
import { openedProject, type ProjectParams } from '../../../pages/opened-project.js';
import { webhooksPath } from './webhook-tokens.js';

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
    ? 'There is a new webhook token; older ones open nothing any more. Put the new URLs in place where they are used.'
    : `There is a new webhook token; older ones stay good for ${hours} hours at most. Put the new URLs in place by then.`;
}
