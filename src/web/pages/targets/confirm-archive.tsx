import type { FormProblem } from '../../components/form.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';
import { ConfirmPage } from '../confirm-page.js';

export interface ConfirmArchiveProps {
  page: PageContext & { viewer: Viewer };
  kind: 'test' | 'suite';
  id: string;
  name: string;
  projectId: string;
  problem?: FormProblem | undefined;
}

/** GET /tests/{id}/archive */
export function ConfirmArchive({ page, kind, id, name, projectId, problem }: ConfirmArchiveProps) {
  return (
    <ConfirmPage
      page={page}
      title={`Archive the ${kind} “${name}”?`}
      verb="Archive"
      action={`/${kind}s/${id}/archive`}
      back={`/projects/${projectId}/${kind}s`}
      problem={problem}
    >
      <p>Its webhook URL leads nowhere from then on, and it is in no list any more. Runs under way end as usual.</p>
      <p>Its runs stay until their retention. Importing a project file that names it brings it back.</p>
    </ConfirmPage>
  );
}
