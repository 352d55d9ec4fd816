import type { Request } from '@hapi/hapi';
import type { SeenProject } from '#src/services/projects/project-service.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { projectContextOf } from './page-context-of.js';

export interface ProjectParams {
  Params: { projectId: string };
}

/**
 * The project that authorization has found for this request, for its page, and its record.
 * @throws NotFoundError if it has been removed since
 */
export async function openedProject(
  { definitions }: Pick<RouteDeps, 'definitions'>,
  request: Pick<Request, 'app'>,
): Promise<ProjectContext & { record: SeenProject['project'] }> {
  const { project } = await definitions.projects.get(callerOf(request), request.app.project!.id);
  return { ...projectContextOf(request, project), record: project };
}
