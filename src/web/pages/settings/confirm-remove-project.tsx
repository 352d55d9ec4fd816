import { OPEN_RUNS_COUNTED } from '../../../domain/open-runs-counted.js';
import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import { settingsPath, type SettingsProps } from './settings-layout.js';

/** @param openRuns counted up to OPEN_RUNS_COUNTED, tests of suites included */
function openRunsText(openRuns: number): string {
  if (openRuns === 0) return 'It has no open runs.';
  if (openRuns === 1) return '1 open run is stopped.';
  const count = openRuns.toLocaleString('en-US');
  return `${openRuns < OPEN_RUNS_COUNTED ? count : `At least ${count}`} open runs are stopped.`;
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
      verb="Remove the project"
      action={settingsPath(project, 'remove')}
      back={settingsPath(project, 'general')}
      problem={problem}
    >
      <ul>
        <li>None of its members sees it any more.</li>
        <li>Its webhooks lead nowhere, at once: whoever calls one gets a 404.</li>
        <li>{openRunsText(openRuns)} Runs stay on record until their retention ends; only admins can see them.</li>
      </ul>
      <p>
        Importing its <a href={settingsPath(project, 'export')}>project file</a> again brings it back, with new webhook
        URLs. Download it before you go on.
      </p>
    </ConfirmPage>
  );
}
