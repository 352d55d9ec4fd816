import type { ComponentChildren } from 'preact';
import { AccountLayout, type AccountProps } from '#src/web/account/account-layout.js';

interface ApiTokensPageProps extends AccountProps {
  /** The name of a token that was just created. */
  created?: string | undefined;
  children: ComponentChildren;
}

/** GET /profile/tokens: the viewer's API tokens. */
export function ApiTokensPage({ page, created, children }: ApiTokensPageProps) {
  return (
    <AccountLayout page={page} tab="tokens">
      {created === undefined ? (
        <>
          <h2>Your API tokens</h2>
          <p>
            Each token acts as you in all your projects, within its scopes. For CI jobs, create a project token in the
            project’s settings instead: it remains valid when you leave.
          </p>
        </>
      ) : (
        <h2>Token “{created}” created</h2>
      )}
      {children}
    </AccountLayout>
  );
}
