import type { FormProblem } from '#src/web/components/form/form.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { ConfirmPage } from '#src/web/confirm-page.js';

interface ConfirmRemoveScheduleProps {
  page: SignedInPage;
  id: string;
  name: string;
  problem?: FormProblem | undefined;
}

/** GET /schedules/{id}/remove */
export function ConfirmRemoveSchedule({ page, id, name, problem }: ConfirmRemoveScheduleProps) {
  return (
    <ConfirmPage
      page={page}
      title={`Remove the schedule “${name}”?`}
      verb="Remove"
      action={`/schedules/${id}/remove`}
      back={`/schedules/${id}`}
      problem={problem}
    >
      <p>The schedule starts no more runs. Existing runs are kept until their retention ends.</p>
      <p>To stop it temporarily, pause it instead. Importing a project file that contains it restores it.</p>
    </ConfirmPage>
  );
}
