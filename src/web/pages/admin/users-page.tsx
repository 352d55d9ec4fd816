import type { Page } from '../../../domain/page.js';
import type { User } from '../../../domain/people.js';
import { Moment } from '../../components/moment.js';
import { Paging } from '../../components/paging.js';
import { State } from '../../components/state.js';
import { AdminLayout, type AdminProps } from './admin-layout.js';

export type ShownUser = Pick<User, '_id' | 'email' | 'name' | 'isAdmin' | 'disabledAt' | 'lastSignInAt' | 'createdAt'>;

export interface UsersPageProps extends AdminProps {
  users: Page<ShownUser>;
}

/** Admin, Users: everybody who has an account. */
export function UsersPage({ page, users }: UsersPageProps) {
  return (
    <AdminLayout page={page} tab="users">
      <p>
        Members of a project are invited in its settings; an invitation makes an account by itself. Admins can open
        every project and these pages.
      </p>
      <p>
        <a class="btn btn-primary" href="/admin/users/new">
          New account
        </a>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">State</th>
            <th scope="col">Last sign-in</th>
            <th scope="col">Account since</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {users.items.map((user) => (
            <UserRow key={user._id} user={user} isSelf={user.email === page.viewer.email} />
          ))}
        </tbody>
      </table>
      <Paging page={users} path="/admin/users" noun="person" plural="people" />
    </AdminLayout>
  );
}

function UserRow({ user, isSelf }: { user: ShownUser; isSelf: boolean }) {
  const { _id, email, name, isAdmin, disabledAt, lastSignInAt, createdAt } = user;
  const changes = [
    isAdmin ? { verb: 'take-admin', label: 'Take admin' } : { verb: 'make-admin', label: 'Make admin' },
    disabledAt ? { verb: 'enable', label: 'Enable' } : { verb: 'disable', label: 'Disable' },
  ];
  return (
    <tr>
      <th scope="row">
        {name || email}{' '}
        <span class="muted">
          {name ? email : ''}
          {isSelf ? ' (you)' : ''}
        </span>
      </th>
      <td data-label="State">
        {disabledAt ? <State level="warn">disabled</State> : 'active'}
        {isAdmin ? <span class="badge-word">admin</span> : null}
      </td>
      <td data-label="Last sign-in">{lastSignInAt ? <Moment at={lastSignInAt} /> : 'never'}</td>
      <td data-label="Account since">
        <Moment at={createdAt} />
      </td>
      <td class="actions">
        {changes.map(({ verb, label }) => (
          <a
            key={verb}
            class="btn btn-sm btn-outline-secondary"
            href={`/admin/users/${_id}/${verb}`}
            data-dialog
            aria-label={`${label}: ${email}`}
          >
            {label}
          </a>
        ))}
      </td>
    </tr>
  );
}
