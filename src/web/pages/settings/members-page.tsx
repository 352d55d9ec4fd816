import { ROLES, type Role } from '../../../domain/rights.js';
import type { Invitation } from '../../../domain/people.js';
import { Field, Select } from '../../components/field.js';
import { Form, problemOf, type FormProblem } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { Problem } from '../../components/problem.js';
import { formatCount } from '../../format.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

export interface ShownMember {
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
  disabled: boolean;
}

/** What each role may do, in a person's words. */
export const ROLE_TEXTS: Record<Role, string> = {
  viewer: 'sees everything but the webhook URLs',
  editor: 'also runs, stops and edits tests and suites',
  owner: 'also manages members, tokens and these settings',
};

export interface MembersPageProps extends SettingsProps {
  members: readonly ShownMember[];
  /** Absent for who may not invite. */
  invitations?: readonly Invitation[] | undefined;
  /** What was wrong with a change of a role. */
  problem?: FormProblem | undefined;
  /** An invitation as it was typed, and what was wrong with it. */
  invited?: { email: string; role: string; problem: FormProblem } | undefined;
}

/** Settings, Members: who is in it with which role, and open invitations. */
export function MembersPage(props: MembersPageProps) {
  const { page, project, members, invitations, problem } = props;
  return (
    <SettingsLayout page={page} project={project} tab="members">
      <Problem message={problem?.message} />
      <p>
        {formatCount(members.length, 'member')}. A viewer {ROLE_TEXTS.viewer}; an editor {ROLE_TEXTS.editor}; an owner{' '}
        {ROLE_TEXTS.owner}. Admins of the server can open every project.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Role</th>
            <th scope="col">Since</th>
            {project.may('members.edit') ? <th scope="col">Actions</th> : null}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.userId} page={page} project={project} member={member} />
          ))}
        </tbody>
      </table>
      <h2>Leave the project</h2>
      <p>
        {project.may('members.edit')
          ? 'Remove yourself from the list above. A project keeps at least one owner: make somebody else an owner first.'
          : 'Ask one of the owners above to remove you.'}
      </p>
      {invitations ? <Invitations {...props} open={invitations} /> : null}
    </SettingsLayout>
  );
}

function MemberRow({ page, project, member }: SettingsProps & { member: ShownMember }) {
  const { userId, email, name, role, createdAt, disabled } = member;
  const path = settingsPath(project, `members/${userId}`);
  return (
    <tr>
      <th scope="row">
        {name || email}{' '}
        <span class="muted">
          {name ? email : ''}
          {email === page.viewer.email ? ' (you)' : ''}
          {disabled ? ' (disabled: cannot sign in)' : ''}
        </span>
      </th>
      <td data-label="Role">
        {project.may('members.edit') ? (
          <Form action={`${path}/role`} viewer={page.viewer} class="inline-form">
            <select class="form-select form-select-sm" name="role" aria-label={`Role of ${email}`}>
              {ROLES.map((one) => (
                <option key={one} value={one} selected={one === role}>
                  {one}
                </option>
              ))}
            </select>
            <button type="submit" class="btn btn-sm btn-outline-secondary" aria-label={`Save the role of ${email}`}>
              Save
            </button>
          </Form>
        ) : (
          role
        )}
      </td>
      <td data-label="Since">
        <Moment at={createdAt} />
      </td>
      {project.may('members.edit') ? (
        <td class="actions">
          <a
            class="btn btn-sm btn-outline-danger"
            href={`${path}/remove`}
            data-dialog
            aria-label={`Remove ${email} from the project`}
          >
            Remove
          </a>
        </td>
      ) : null}
    </tr>
  );
}

function Invitations({ page, project, invited, open }: MembersPageProps & { open: readonly Invitation[] }) {
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
          options={ROLES.map((role) => ({ value: role, label: `${role}: ${ROLE_TEXTS[role]}` }))}
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
            <td data-label="Role">{role}</td>
            <td data-label="Made by">{createdBy}</td>
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
