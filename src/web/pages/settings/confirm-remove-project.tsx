import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import { settingsPath, type SettingsProps } from './settings-layout.js';

/** Asks before a project goes. */
export function ConfirmRemoveProject({
  page,
  project,
  problem,
}: SettingsProps & { problem?: FormProblem | undefined }) {
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
        <li>Runs under way come to their end. All runs stay on record until their retention.</li>
      </ul>
      <p>
        Importing its <a href={settingsPath(project, 'export')}>project file</a> again brings it back, with new webhook
        URLs. Download it before you go on.
      </p>
    </ConfirmPage>
  );
}
