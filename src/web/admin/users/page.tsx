import type { Page } from '#src/domain/page.js';
import type { User } from '#src/domain/people/people.js';
import { DataTable } from '#src/web/components/data-table.js';
import { DialogLink } from '#src/web/components/dialog-link.js';
import { Moment } from '#src/web/components/moment.js';
import { Paging } from '#src/web/components/paging.js';
import { Person } from '#src/web/components/person.js';
import { State } from '#src/web/components/state.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';

type ShownUser = Pick<User, '_id' | 'email' | 'name' | 'isAdmin' | 'disabledAt' | 'lastSignInAt' | 'createdAt'>;

interface UsersPageProps extends AdminProps {
  users: Page<ShownUser>;
}

/** Admin, Users: all accounts. */
export function UsersPage({ page, users }: UsersPageProps) {
  return (
    <AdminLayout page={page} tab="users">
      <p>
        Invite members in the settings of a project; accepting an invitation creates an account. Admins have access to
        every project and to the administration.
      </p>
      <p>
        <a class="btn btn-primary" href="/admin/users/new">
          New account
        </a>
      </p>
      <DataTable
        items={users.items}
        columns={[
          {
            label: 'Person',
            cell: ({ name, email }) => <Person name={name} email={email} isSelf={email === page.viewer.email} />,
          },
          {
            label: 'State',
            cell: ({ disabledAt, isAdmin }) => (
              <>
                {disabledAt ? <State level="warn">disabled</State> : 'active'}
                {isAdmin ? <span class="badge-word">admin</span> : null}
              </>
            ),
          },
          { label: 'Last sign-in', cell: ({ lastSignInAt: at }) => (at ? <Moment at={at} /> : 'Never') },
          { label: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        actions={(user) => <Changes {...user} />}
      />
      <Paging page={users} path="/admin/users" noun="person" plural="people" />
    </AdminLayout>
  );
}

function Changes({ _id, email, isAdmin, disabledAt }: ShownUser) {
  const changes = [
    isAdmin ? { verb: 'take-admin', label: 'Remove admin role' } : { verb: 'make-admin', label: 'Make admin' },
    disabledAt ? { verb: 'enable', label: 'Enable' } : { verb: 'disable', label: 'Disable' },
  ];
  return (
    <>
      {changes.map(({ verb, label }) => (
        <DialogLink key={verb} href={`/admin/users/${_id}/${verb}`} label={`${label}: ${email}`}>
          {label}
        </DialogLink>
      ))}
    </>
  );
}
