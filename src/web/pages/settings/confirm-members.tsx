import { CheckBox } from '../../components/field.js';
import type { FormProblem } from '../../components/form.js';
import { formatCount } from '../../format.js';
import { ConfirmPage } from '../confirm-page.js';
import { settingsPath, type SettingsProps } from './settings-layout.js';

interface Removal extends SettingsProps {
  /** API tokens of the project that the person created. */
  tokenCount: number;
  problem?: FormProblem | undefined;
}

/** Asks before a member is removed. */
export function ConfirmRemoveMember({ userId, email, ...removal }: Removal & { userId: string; email: string }) {
  const { page, project, tokenCount, problem } = removal;
  return (
    <ConfirmPage
      page={page}
      title={`Remove ${email} from “${project.name}”?`}
      verb="Remove the member"
      action={settingsPath(project, `members/${userId}/remove`)}
      back={settingsPath(project, 'members')}
      problem={problem}
      fields={<TokenChoice count={tokenCount} label={`that ${email} created`} />}
    >
      <p>
        This person loses access to the project, its tests and its runs at once, and open invitations that they made are
        revoked. Tests and other things that they created stay. You can invite them again.
      </p>
      <WebhooksStay />
    </ConfirmPage>
  );
}

/** Asks before the viewer leaves a project. */
export function ConfirmLeave({ page, project, tokenCount, problem }: Removal) {
  return (
    <ConfirmPage
      page={page}
      title={`Leave the project “${project.name}”?`}
      verb="Leave the project"
      action={settingsPath(project, 'leave')}
      back={settingsPath(project, 'members')}
      problem={problem}
      fields={<TokenChoice count={tokenCount} label="that you created" />}
    >
      <p>
        You lose access at once, and open invitations that you made to it are revoked. An owner can invite you again.
        The last owner cannot leave.
      </p>
      <WebhooksStay />
    </ConfirmPage>
  );
}

function TokenChoice({ count, label }: { count: number; label: string }) {
  if (count === 0) return null;
  const tokens = count === 1 ? 'the API token' : `the ${formatCount(count, 'API token')}`;
  return <CheckBox name="revokeTokens" label={`Revoke ${tokens} of the project ${label}`} isChecked />;
}

function WebhooksStay() {
  return (
    <p>Webhook URLs of the project keep working for whoever knows them: rotate the webhook token to change that.</p>
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
