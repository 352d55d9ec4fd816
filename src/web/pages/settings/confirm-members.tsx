import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import { settingsPath, type SettingsProps } from './settings-layout.js';

interface OfMember extends SettingsProps {
  userId: string;
  email: string;
  problem?: FormProblem | undefined;
}

/** Asks before somebody is no member any more. */
export function ConfirmRemoveMember({ page, project, userId, email, problem }: OfMember) {
  const isSelf = email === page.viewer.email;
  return (
    <ConfirmPage
      page={page}
      title={isSelf ? `Leave the project “${project.name}”?` : `Remove ${email} from “${project.name}”?`}
      verb={isSelf ? 'Leave the project' : 'Remove the member'}
      action={settingsPath(project, `members/${userId}/remove`)}
      back={settingsPath(project, 'members')}
      problem={problem}
    >
      <p>
        {isSelf
          ? 'You see nothing of it any more, at once. An owner can invite you again.'
          : 'The project, its tests and its runs are closed to this person at once. What the person has made stays. You can invite again.'}
      </p>
      <p>
        Webhook URLs and API tokens of the project keep working for whoever knows them: rotate or revoke them if that
        must not be.
      </p>
    </ConfirmPage>
  );
}

interface OfInvitation extends SettingsProps {
  id: string;
  email?: string | undefined;
  problem?: FormProblem | undefined;
}

/** Asks before an invitation is called back. */
export function ConfirmRevokeInvitation({ page, project, id, email, problem }: OfInvitation) {
  return (
    <ConfirmPage
      page={page}
      title={email ? `Revoke the invitation for ${email}?` : 'Revoke this invitation?'}
      verb="Revoke the invitation"
      action={settingsPath(project, `invitations/${id}/revoke`)}
      back={settingsPath(project, 'members')}
      problem={problem}
    >
      <p>Its link opens nothing from then on. You can make a new one at any time.</p>
    </ConfirmPage>
  );
}
