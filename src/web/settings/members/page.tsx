import { ROLES, type Role } from '#src/domain/people/rights.js';
import { DataTable } from '#src/web/components/data-table.js';
import { DialogLink } from '#src/web/components/dialog-link.js';
import { Form, type FormProblem } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import { Person } from '#src/web/components/person.js';
import { Problem } from '#src/web/components/form/problem.js';
import { formatCount } from '#src/web/texts/format.js';
import { Invitations, type InvitationsProps } from './invitations.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

interface ShownMember {
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
  disabled: boolean;
}

/** What each role allows. */
const ROLE_TEXTS: Record<Role, string> = {
  viewer: 'can view everything except webhook URLs',
  editor: 'can also run, stop and edit tests and suites',
  owner: 'can also manage members, tokens and settings',
};

export interface MembersPageProps extends SettingsProps {
  members: readonly ShownMember[];
  /** Absent for viewers who may not invite. */
  invitations?: InvitationsProps['open'] | undefined;
  /** What was wrong with a change of a role. */
  problem?: FormProblem | undefined;
  invited?: InvitationsProps['invited'];
}

/** Settings, Members: the members with their roles, and open invitations. */
export function MembersPage(props: MembersPageProps) {
  const { page, project, members, invitations, invited, problem } = props;
  const mayEdit = project.may('members.edit');
  return (
    <SettingsLayout page={page} project={project} tab="members">
      <Problem message={problem?.message} />
      <p>
        {formatCount(members.length, 'member')}. A viewer {ROLE_TEXTS.viewer}; an editor {ROLE_TEXTS.editor}; an owner{' '}
        {ROLE_TEXTS.owner}. Server admins have access to every project.
      </p>
      <DataTable
        items={members}
        columns={[
          {
            label: 'Member',
            cell: ({ name, email, disabled }) => (
              <Person
                name={name}
                email={email}
                isSelf={email === page.viewer.email}
                note={disabled ? 'disabled: cannot sign in' : undefined}
              />
            ),
          },
          {
            label: 'Role',
            cell: (member) => (mayEdit ? <RoleForm page={page} project={project} member={member} /> : member.role),
          },
          { label: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        actions={
          mayEdit &&
          (({ userId, email }) => (
            <DialogLink
              href={settingsPath(project, `members/${userId}/remove`)}
              label={`Remove ${email} from the project`}
              isDangerous
            >
              Remove
            </DialogLink>
          ))
        }
      />
      {members.some(({ email }) => email === page.viewer.email) ? (
        <>
          <h2>Leave project</h2>
          <p>You immediately lose access. A project must have at least one owner.</p>
          <DialogLink href={settingsPath(project, 'leave')} isDangerous>
            Leave project
          </DialogLink>
        </>
      ) : null}
      {invitations ? <Invitations page={page} project={project} open={invitations} invited={invited} /> : null}
    </SettingsLayout>
  );
}

function RoleForm({ page, project, member: { userId, email, role } }: SettingsProps & { member: ShownMember }) {
  return (
    <Form action={settingsPath(project, `members/${userId}/role`)} viewer={page.viewer} class="inline-form">
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
  );
}
