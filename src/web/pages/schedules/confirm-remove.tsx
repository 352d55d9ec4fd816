import type { FormProblem } from '../../components/form.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';
import { ConfirmPage } from '../confirm-page.js';

export interface ConfirmRemoveScheduleProps {
  page: PageContext & { viewer: Viewer };
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
      <p>It starts nothing from then on. Runs that it started stay until their retention.</p>
      <p>To stop it for a while only, pause it. Importing a project file that names it brings it back.</p>
    </ConfirmPage>
  );
}
