import type { ApiToken } from '#src/domain/people/people.js';
import { SCOPES } from '#src/domain/people/rights.js';
import { ApiTokenForm } from '#src/web/components/form/api-token-form.js';
import { ApiTokenTable, NewApiToken } from '#src/web/components/api-tokens.js';
import type { FormProblem, FormState } from '#src/web/components/form/form.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import { AccountLayout, type AccountProps } from '#src/web/account/account-layout.js';

const PATH = '/profile/tokens';

interface ApiTokensPageProps extends AccountProps {
  /** Newest first. */
  tokens: readonly ApiToken[];
  form: FormState;
}

/** GET /profile/tokens: the viewer's API tokens, and a form for another. */
export function ApiTokensPage({ page, tokens, form }: ApiTokensPageProps) {
  return (
    <AccountLayout page={page} tab="tokens">
      <h2>Your API tokens</h2>
      <p>
        Each token acts as you in all your projects, within its scopes. For CI jobs, create a project token in the
        project’s settings instead: it remains valid when you leave.
      </p>
      <ApiTokenTable tokens={tokens} path={PATH} />
      <h2>Create a token</h2>
      <ApiTokenForm action={PATH} scopes={SCOPES} viewer={page.viewer} form={form} />
    </AccountLayout>
  );
}

/** A new token, shown only once. */
export function ApiTokenMade({ page, name, token }: AccountProps & { name: string; token: string }) {
  return (
    <AccountLayout page={page} tab="tokens">
      <h2>Your token “{name}” created</h2>
      <NewApiToken token={token} path={PATH} />
    </AccountLayout>
  );
}

interface ConfirmRevokeApiTokenProps extends AccountProps {
  token: Pick<ApiToken, 'id' | 'name'>;
  problem?: FormProblem | undefined;
}

/** GET /profile/tokens/{id}/revoke */
export function ConfirmRevokeApiToken({ page, token, problem }: ConfirmRevokeApiTokenProps) {
  return (
    <ConfirmPage
      page={page}
      title={`Revoke the token “${token.name}”?`}
      verb="Revoke token"
      action={`${PATH}/${token.id}/revoke`}
      back={PATH}
      problem={problem}
    >
      <p>Requests with this token will return 401. This cannot be undone.</p>
    </ConfirmPage>
  );
}
