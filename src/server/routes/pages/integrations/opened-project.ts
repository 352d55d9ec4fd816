import type { Request } from '@hapi/hapi';
import type { ProjectContext } from '../../../../web/layout/viewer.js';
import { callerOf } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { projectContextOf } from '../../../pages/page-context.js';

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
