import { ROLES, type Role } from '../../../domain/rights.js';
import { Form, type FormProblem } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { Problem } from '../../components/problem.js';
import { formatCount } from '../../format.js';
import { Invitations, type InvitationsProps } from './invitations.js';
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
const ROLE_TEXTS: Record<Role, string> = {
  viewer: 'sees everything but the webhook URLs',
  editor: 'also runs, stops and edits tests and suites',
  owner: 'also manages members, tokens and these settings',
};

export interface MembersPageProps extends SettingsProps {
  members: readonly ShownMember[];
  /** Absent for who may not invite. */
  invitations?: InvitationsProps['open'] | undefined;
  /** What was wrong with a change of a role. */
  problem?: FormProblem | undefined;
  invited?: InvitationsProps['invited'];
}

/** Settings, Members: who is in it with which role, and open invitations. */
export function MembersPage(props: MembersPageProps) {
  const { page, project, members, invitations, invited, problem } = props;
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
      {members.some(({ email }) => email === page.viewer.email) ? (
        <>
          <h2>Leave the project</h2>
          <p>You lose access at once. A project keeps at least one owner.</p>
          <a class="btn btn-sm btn-outline-danger" href={settingsPath(project, 'leave')} data-dialog>
            Leave the project
          </a>
        </>
      ) : null}
      {invitations ? <Invitations page={page} project={project} open={invitations} invited={invited} /> : null}
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
