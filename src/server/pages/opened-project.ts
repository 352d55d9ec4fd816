import type { Request } from '@hapi/hapi';
import type { ProjectContext } from '../../web/layout/viewer.js';
import { callerOf } from '../access.js';
import type { RouteDeps } from '../context.js';
import { projectContextOf } from './page-context.js';

/** The project that the door has opened for this request. @throws NotFoundError when it was removed meanwhile */
export async function openedProject(
  request: Pick<Request, 'app'>,
  { definitions }: Pick<RouteDeps, 'definitions'>,
): Promise<ProjectContext> {
  const { project } = await definitions.projects.get(callerOf(request), request.app.project!.id);
  return projectContextOf(request, project);
}
