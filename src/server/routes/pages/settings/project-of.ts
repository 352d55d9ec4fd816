import type { Request } from '@hapi/hapi';
import type { ProjectRight } from '../../../../domain/rights.js';
import type { SeenProject } from '../../../../services/definitions/projects.js';
import type { ProjectContext } from '../../../../web/layout/viewer.js';
import { callerOf, type Access } from '../../../access.js';
import type { RouteDeps } from '../../../context.js';
import { projectContextOf } from '../../../pages/page-context.js';

export interface ProjectParams {
  Params: { projectId: string };
}

/** Where the settings of a project stand. */
export const SETTINGS = '/projects/{projectId}/settings';

/** What a page of a project's settings asks for: a right in the project of its address. */
export function ofProject(right: ProjectRight) {
  return { right, project: ({ params }) => params.projectId } satisfies Access;
}

/** The project of a request, as its page shows it and as it is on record. @throws NotFoundError */
export async function projectOf(
  { definitions }: Pick<RouteDeps, 'definitions'>,
  request: Pick<Request, 'app'>,
): Promise<{ project: ProjectContext; record: SeenProject['project'] }> {
  const { project } = await definitions.projects.get(callerOf(request), request.app.project!.id);
  return { project: projectContextOf(request, project), record: project };
}
