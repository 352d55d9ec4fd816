import type { Session } from '#src/domain/people/people.js';
import { DataTable } from '#src/web/components/data-table.js';
import { DialogLink } from '#src/web/components/dialog-link.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import { Moment } from '#src/web/components/moment.js';
import { describeBrowser } from '#src/web/texts/describe-browser.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import { AccountLayout, type AccountProps } from '#src/web/account/account-layout.js';

type ShownSession = Pick<Session, 'id' | 'createdAt' | 'lastSeenAt' | 'expiresAt' | 'address' | 'userAgent'>;

interface SessionsPageProps extends AccountProps {
  /** Last used first. */
  sessions: readonly ShownSession[];
  /** The session of this request. */
  currentId: string;
}

/** GET /profile/sessions: where the viewer is signed in. */
export function SessionsPage({ page, sessions, currentId }: SessionsPageProps) {
  return (
    <AccountLayout page={page} tab="sessions">
      <h2>Where you are signed in</h2>
      <p>If you do not recognize a session, sign it out and change your password.</p>
      <DataTable
        items={sessions}
        columns={[
          {
            label: 'Browser',
            cell: ({ id, userAgent }) => (
              <>
                <span title={userAgent}>{describeBrowser(userAgent)}</span>{' '}
                {id === currentId ? <span class="muted">This session</span> : null}
              </>
            ),
          },
          { label: 'Address', cell: ({ address }) => address },
          { label: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
          { label: 'Signed in', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { label: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
        ]}
        actions={({ id, userAgent, address }) =>
          id === currentId ? null : (
            <DialogLink
              href={`/profile/sessions/${id}/end`}
              label={`Sign out ${describeBrowser(userAgent)} at ${address}`}
              isDangerous
            >
              Sign out
            </DialogLink>
          )
        }
      />
    </AccountLayout>
  );
}

interface ConfirmEndSessionProps extends AccountProps {
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
        It was last used <Moment at={lastSeenAt} /> from {address}. You must sign in again to use that browser.
      </p>
    </ConfirmPage>
  );
}
