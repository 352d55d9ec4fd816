import type { RunFilter, RunLists } from '#src/db/runs/list-runs.js';
import type { ListedRun } from '#src/domain/runs/run.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import type { Principal } from '#src/domain/people/rights.js';
import type { AccessControl } from '#src/services/access/access-control.js';

export type ListRequest = Omit<RunFilter, 'projectIds'> & { projectId?: string | undefined };

/**
 * Lists the runs that a caller may read. An inaccessible project has none.
 * @throws InvalidInputError (cursor)
 */
export function createRunLister({
  lists,
  access,
}: {
  lists: RunLists;
  access: Pick<AccessControl, 'visibleProjects'>;
}) {
  return async (
    principal: Principal,
    { projectId, ...filter }: ListRequest,
    page: PageRequest,
  ): Promise<Page<ListedRun>> => {
    const visible = await access.visibleProjects(principal);
    const projectIds = projectId === undefined ? visible : (visible ?? [projectId]).filter((one) => one === projectId);
    return lists.page({ ...filter, projectIds }, page);
  };
}
