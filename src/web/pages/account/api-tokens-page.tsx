import type { ApiToken } from '../../../domain/people.js';
import { SCOPES } from '../../../domain/rights.js';
import { ApiTokenForm, type TypedApiToken } from '../../components/api-token-form.js';
import { ApiTokenTable, NewApiToken } from '../../components/api-tokens.js';
import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import { AccountLayout, type AccountProps } from './account-layout.js';

const PATH = '/profile/tokens';

export interface ApiTokensPageProps extends AccountProps {
  /** Newest first. */
  tokens: readonly ApiToken[];
  typed?: TypedApiToken;
  problem?: FormProblem | undefined;
}

/** GET /profile/tokens: the viewer's API tokens, and a form for another. */
export function ApiTokensPage({ page, tokens, typed, problem }: ApiTokensPageProps) {
  return (
    <AccountLayout page={page} tab="tokens">
      <h2>Your API tokens</h2>
      <p>
        Each acts as you in all your projects, as far as its scopes go. For a CI job better make a token of the project,
        under its Settings: it stays when you leave.
      </p>
      <ApiTokenTable tokens={tokens} path={PATH} />
      <h2>Make a token</h2>
      <ApiTokenForm action={PATH} scopes={SCOPES} viewer={page.viewer} typed={typed} problem={problem} />
    </AccountLayout>
  );
}

/** A new token, this once. */
export function ApiTokenMade({ page, name, token }: AccountProps & { name: string; token: string }) {
  return (
    <AccountLayout page={page} tab="tokens">
      <h2>Your token “{name}” is made</h2>
      <NewApiToken token={token} path={PATH} />
    </AccountLayout>
  );
}

export interface ConfirmRevokeApiTokenProps extends AccountProps {
  token: Pick<ApiToken, 'id' | 'name'>;
  problem?: FormProblem | undefined;
}

/** GET /profile/tokens/{id}/revoke */
export function ConfirmRevokeApiToken({ page, token, problem }: ConfirmRevokeApiTokenProps) {
  return (
    <ConfirmPage
      page={page}
      title={`Revoke the token “${token.name}”?`}
      verb="Revoke the token"
      action={`${PATH}/${token.id}/revoke`}
      back={PATH}
      problem={problem}
    >
      <p>It opens nothing from then on: whatever uses it gets 401. This cannot be taken back.</p>
    </ConfirmPage>
  );
}
