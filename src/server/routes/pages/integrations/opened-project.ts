import type { Request } from '@hapi/hapi';
import { NotFoundError } from '../../../../domain/errors.js';
import type { ProjectRight } from '../../../../domain/rights.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import type { ShownWebhookToken } from '../../../../services/tokens/webhook-tokens.js';
import type { ProjectContext } from '../../../../web/layout/viewer.js';
import { callerOf, type Access } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { projectContextOf } from '../../../pages/page-context.js';

export interface ProjectParams {
  Params: { projectId: string };
}

export interface TokenParams {
  Params: { projectId: string; number: string };
}

/** What a page of a project asks for. */
export function inProject(right: ProjectRight) {
  return { right, project: ({ params }) => params.projectId } satisfies Access;
}

/** The project that the door has opened. @throws NotFoundError when it has gone meanwhile */
export async function openedProject(
  { definitions }: Pick<RouteDeps, 'definitions'>,
  request: Pick<Request, 'app'>,
): Promise<ProjectContext & { slug: string }> {
  const { project } = await definitions.projects.get(callerOf(request), request.app.project!.id);
  return { ...projectContextOf(request, project), slug: project.slug };
}

/** E-mails of a project's owners: whom to ask for more rights. */
export async function ownersOf({ people }: Pick<RouteDeps, 'people'>, projectId: string): Promise<string[]> {
  const members = await people.members.of(projectId);
  return members.filter(({ role, disabled }) => role === 'owner' && !disabled).map(({ email }) => email);
}

export function webhooksPath(projectId: string): string {
  return `/projects/${projectId}/integrations/webhooks`;
}

/** The token that an address names. @throws NotFoundError */
export function tokenOf(tokens: readonly ShownWebhookToken[], number: string): ShownWebhookToken {
  const found = tokens.find((one) => String(one.number) === number);
  if (!found) throw new NotFoundError(NOTHING_HERE);
  return found;
}
