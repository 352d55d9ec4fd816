import { OPEN_RUNS_COUNTED } from '#src/domain/runs/open-runs-counted.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import { settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

/** @param openRuns counted up to OPEN_RUNS_COUNTED, tests of suites included */
function openRunsText(openRuns: number): string {
  if (openRuns === 0) return 'There are no open runs.';
  if (openRuns === 1) return '1 open run will be stopped.';
  const count = openRuns.toLocaleString('en-US');
  return `${openRuns < OPEN_RUNS_COUNTED ? count : `At least ${count}`} open runs will be stopped.`;
}

/** Asks before a project goes. */
export function ConfirmRemoveProject({
  page,
  project,
  openRuns,
  problem,
}: SettingsProps & { openRuns: number; problem?: FormProblem | undefined }) {
  return (
    <ConfirmPage
      page={page}
      title={`Remove the project “${project.name}”?`}
      verb="Remove project"
      action={settingsPath(project, 'remove')}
      back={settingsPath(project, 'general')}
      problem={problem}
    >
      <ul>
        <li>Its members lose access.</li>
        <li>Its webhooks immediately return 404.</li>
        <li>{openRunsText(openRuns)} Runs are kept until their retention ends; only admins can see them.</li>
      </ul>
      <p>
        Importing its <a href={settingsPath(project, 'export')}>project file</a> again restores the project with new
        webhook URLs. Download the file before you continue.
      </p>
    </ConfirmPage>
  );
}
