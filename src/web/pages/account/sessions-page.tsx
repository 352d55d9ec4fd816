import type { Session } from '../../../domain/people.js';
import type { FormProblem } from '../../components/form.js';
import { Moment } from '../../components/moment.js';
import { describeBrowser } from '../../describe-browser.js';
import { ConfirmPage } from '../confirm-page.js';
import { AccountLayout, type AccountProps } from './account-layout.js';

export type ShownSession = Pick<Session, 'id' | 'createdAt' | 'lastSeenAt' | 'expiresAt' | 'address' | 'userAgent'>;

export interface SessionsPageProps extends AccountProps {
  /** The latest used first. */
  sessions: readonly ShownSession[];
  /** The one that asks. */
  currentId: string;
}

/** GET /profile/sessions: where the viewer is signed in. */
export function SessionsPage({ page, sessions, currentId }: SessionsPageProps) {
  return (
    <AccountLayout page={page} tab="sessions">
      <h2>Where you are signed in</h2>
      <p>If you do not know one of them, end it and change your password.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Address</th>
            <th scope="col">Last used</th>
            <th scope="col">Signed in</th>
            <th scope="col">Ends by itself</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((one) => (
            <SessionRow key={one.id} session={one} isCurrent={one.id === currentId} />
          ))}
        </tbody>
      </table>
    </AccountLayout>
  );
}

function SessionRow({ session, isCurrent }: { session: ShownSession; isCurrent: boolean }) {
  const { id, createdAt, lastSeenAt, expiresAt, address, userAgent } = session;
  const browser = describeBrowser(userAgent);
  return (
    <tr>
      <th scope="row" title={userAgent}>
        {browser} {isCurrent ? <span class="muted">this one</span> : null}
      </th>
      <td data-label="Address">{address}</td>
      <td data-label="Last used">
        <Moment at={lastSeenAt} />
      </td>
      <td data-label="Signed in">
        <Moment at={createdAt} />
      </td>
      <td data-label="Ends by itself">
        <Moment at={expiresAt} />
      </td>
      <td class="actions">
        {isCurrent ? null : (
          <a
            class="btn btn-sm btn-outline-danger"
            href={`/profile/sessions/${id}/end`}
            data-dialog
            aria-label={`Sign out ${browser} at ${address}`}
          >
            Sign out
          </a>
        )}
      </td>
    </tr>
  );
}

export interface ConfirmEndSessionProps extends AccountProps {
  session: ShownSession;
  problem?: FormProblem | undefined;
}

/** GET /profile/sessions/{id}/end */
export function ConfirmEndSession({ page, session, problem }: ConfirmEndSessionProps) {
  const { id, address, userAgent, lastSeenAt } = session;
  return (
    <ConfirmPage
      page={page}
      title={`Sign out ${describeBrowser(userAgent)}?`}
      verb="Sign out"
      action={`/profile/sessions/${id}/end`}
      back="/profile/sessions"
      problem={problem}
    >
      <p>
        It was last used <Moment at={lastSeenAt} /> from {address}. Whoever uses it has to sign in again.
      </p>
    </ConfirmPage>
  );
}
