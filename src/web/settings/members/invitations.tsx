import type { Invitation } from '#src/domain/people/people.js';
import { ROLES } from '#src/domain/people/rights.js';
import { DataTable } from '#src/web/components/data-table.js';
import { DialogLink } from '#src/web/components/dialog-link.js';
import { Field, Select } from '#src/web/components/form/field.js';
import { Form, type FormState } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import { settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

export interface InvitationsProps extends SettingsProps {
  open: readonly Invitation[];
  /** An invitation that was rejected. */
  invited?: FormState | undefined;
}

const ANYONE = 'anyone with the link';
const NEW_INVITATION: FormState = { values: { role: 'editor' } };

/** Invites a person to a project, and lists the open invitations. */
export function Invitations({ page, project, invited = NEW_INVITATION, open }: InvitationsProps) {
  return (
    <>
      <h2>Invite a member</h2>
      <Form action={settingsPath(project, 'invitations')} viewer={page.viewer} form={invited} class="card-box">
        <Field
          name="email"
          label="Email (optional)"
          type="email"
          required={false}
          hint="A note for you. No email is sent: share the link yourself."
          help="invitations"
        />
        <Select name="role" label="Role" help="roles" options={ROLES.map((role) => ({ value: role, label: role }))} />
        <button type="submit" class="btn btn-primary">
          Create invitation link
        </button>
      </Form>
      <h2>Open invitations</h2>
      {open.length === 0 ? (
        <p class="muted">None. An invitation works once and expires after seven days.</p>
      ) : (
        <DataTable
          items={open}
          columns={[
            { label: 'For', cell: ({ email }) => email ?? ANYONE },
            { label: 'Role', cell: ({ role }) => role, class: 'nowrap' },
            { label: 'Created by', cell: ({ createdBy }) => <span class="word">{createdBy}</span> },
            { label: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          ]}
          actions={({ _id, email }) => (
            <DialogLink
              href={settingsPath(project, `invitations/${_id}/revoke`)}
              label={`Revoke the invitation for ${email ?? ANYONE}`}
              isDangerous
            >
              Revoke
            </DialogLink>
          )}
        />
      )}
    </>
  );
}
