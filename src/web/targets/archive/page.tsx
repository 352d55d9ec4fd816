import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { ConfirmPage } from '#src/web/confirm-page.js';

interface ConfirmArchiveProps {
  page: SignedInPage;
  kind: TargetKind;
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
      <p>Its webhook URL returns 404, and it is no longer listed. Runs in progress continue.</p>
      <p>Its runs are kept until their retention ends. Importing a project file that contains it restores it.</p>
    </ConfirmPage>
  );
}
