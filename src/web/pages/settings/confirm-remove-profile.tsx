import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import { settingsPath, type SettingsProps } from './settings-layout.js';

interface OfProfile extends SettingsProps {
  id: string;
  name: string;
  isDefault: boolean;
  problem?: FormProblem | undefined;
}

/** Asks before a profile of variables goes. */
export function ConfirmRemoveProfile({ page, project, id, name, isDefault, problem }: OfProfile) {
  return (
    <ConfirmPage
      page={page}
      title={`Remove the profile “${name}”?`}
      verb="Remove the profile"
      action={settingsPath(project, `variables/${id}/remove`)}
      back={settingsPath(project, 'variables')}
      problem={problem}
    >
      <p>
        {isDefault ? 'It is the default: from then on runs start without its variables. ' : ''}
        Open runs that use it end with the error VARIABLE_SET_MISSING when their turn comes; a profile that schedules
        use cannot be removed. Its secret values cannot be brought back.
      </p>
    </ConfirmPage>
  );
}
