import { CheckBox } from '#src/web/components/form/field.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import { formatCount } from '#src/web/texts/format.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import { settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

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
      verb="Remove member"
      action={settingsPath(project, `members/${userId}/remove`)}
      back={settingsPath(project, 'members')}
      problem={problem}
      fields={<TokenChoice count={tokenCount} label={`that ${email} created`} />}
    >
      <p>
        This person immediately loses access to the project, and their open invitations are revoked. Everything else
        that they created remains. You can invite them again.
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
      verb="Leave project"
      action={settingsPath(project, 'leave')}
      back={settingsPath(project, 'members')}
      problem={problem}
      fields={<TokenChoice count={tokenCount} label="that you created" />}
    >
      <p>
        You immediately lose access, and your open invitations are revoked. An owner can invite you again. The last
        owner cannot leave.
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
    <p>The project’s webhook URLs keep working for anyone who has them. To prevent that, rotate the webhook token.</p>
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
      verb="Revoke invitation"
      action={settingsPath(project, `invitations/${id}/revoke`)}
      back={settingsPath(project, 'members')}
      problem={problem}
    >
      <p>Its link stops working. You can create another invitation at any time.</p>
    </ConfirmPage>
  );
}
