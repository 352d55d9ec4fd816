import type { Invitation } from '../../../domain/people.js';
import { ROLES } from '../../../domain/rights.js';
import { Field, Select } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { settingsPath, type SettingsProps } from './settings-layout.js';

export interface InvitationsProps extends SettingsProps {
  open: readonly Invitation[];
  /** An invitation as it was typed, and what was wrong with it. */
  invited?: { email: string; role: string; problem: FormProblem } | undefined;
}

/** Invites somebody to a project, and lists the invitations that can still be taken. */
export function Invitations({ page, project, invited, open }: InvitationsProps) {
  const problem = invited?.problem;
  return (
    <>
      <h2>Invite somebody</h2>
      <Form action={settingsPath(project, 'invitations')} viewer={page.viewer} problem={problem} class="card-box">
        <Field
          name="email"
          label="E-mail (optional)"
          type="email"
          required={false}
          value={invited?.email ?? ''}
          hint="A note for you whom it is meant for. No mail is sent: you pass the link on."
          problem={problemOf(problem, 'email')}
        />
        <Select
          name="role"
          label="Role"
          value={invited?.role ?? 'editor'}
          options={ROLES.map((role) => ({ value: role, label: role }))}
          problem={problemOf(problem, 'role')}
        />
        <button type="submit" class="btn btn-primary">
          Make an invitation link
        </button>
      </Form>
      <h2>Open invitations</h2>
      {open.length === 0 ? <p class="muted">None. An invitation is good for seven days and for one person.</p> : null}
      {open.length > 0 ? <InvitationTable page={page} project={project} open={open} /> : null}
    </>
  );
}

function InvitationTable({ project, open }: SettingsProps & { open: readonly Invitation[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">For</th>
          <th scope="col">Role</th>
          <th scope="col">Made by</th>
          <th scope="col">Good until</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {open.map(({ _id, email, role, createdBy, expiresAt }) => (
          <tr key={_id}>
            <th scope="row">{email ?? 'whoever has the link'}</th>
            <td data-label="Role" class="nowrap">
              {role}
            </td>
            <td data-label="Made by">
              <span class="word">{createdBy}</span>
            </td>
            <td data-label="Good until">
              <Moment at={expiresAt} />
            </td>
            <td class="actions">
              <a
                class="btn btn-sm btn-outline-danger"
                href={settingsPath(project, `invitations/${_id}/revoke`)}
                data-dialog
                aria-label={`Revoke the invitation for ${email ?? 'whoever has the link'}`}
              >
                Revoke
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
