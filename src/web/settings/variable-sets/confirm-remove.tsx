import type { FormProblem } from '#src/web/components/form/form.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import { settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

interface OfVariableSet extends SettingsProps {
  id: string;
  name: string;
  isDefault: boolean;
  problem?: FormProblem | undefined;
}

/** Asks before a variable set goes. */
export function ConfirmRemoveVariableSet({ page, project, id, name, isDefault, problem }: OfVariableSet) {
  return (
    <ConfirmPage
      page={page}
      title={`Remove the variable set “${name}”?`}
      verb="Remove variable set"
      action={settingsPath(project, `variables/${id}/remove`)}
      back={settingsPath(project, 'variables')}
      problem={problem}
    >
      <p>
        {isDefault ? 'This is the default variable set: later runs start without its variables. ' : ''}
        Queued runs that use it end with VARIABLE_SET_MISSING. A variable set that schedules use cannot be removed. Its
        secret values cannot be restored.
      </p>
    </ConfirmPage>
  );
}
