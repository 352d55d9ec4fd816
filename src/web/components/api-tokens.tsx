import type { ApiToken } from '#src/domain/people/people.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { Copy } from './copy.js';
import { DataTable } from './data-table.js';
import { DialogLink } from './dialog-link.js';
import { Empty } from './empty-state.js';
import { ApiTokenForm, type ApiTokenFormProps } from './form/api-token-form.js';
import type { FormProblem } from './form/form.js';
import { Moment } from './moment.js';

interface ApiTokensProps extends Omit<ApiTokenFormProps, 'action'> {
  /** Of the list; `/{id}/revoke` below it revokes a token. */
  path: string;
  /** Newest first. */
  tokens: readonly ApiToken[];
}

/** API tokens, and a form to create one. */
export function ApiTokens({ path, tokens, ...form }: ApiTokensProps) {
  return (
    <>
      <ApiTokenTable tokens={tokens} path={path} />
      <h2>Create a token</h2>
      <ApiTokenForm action={path} {...form} />
    </>
  );
}

function ApiTokenTable({ tokens, path }: Pick<ApiTokensProps, 'tokens' | 'path'>) {
  if (tokens.length === 0)
    return (
      <Empty title="No API tokens yet" help="tokens">
        <p>
          A token lets a script or CI job call the API or use the <code>runhook</code> command. Create one below.
        </p>
      </Empty>
    );
  return (
    <DataTable
      items={tokens}
      columns={[
        { label: 'Name', cell: ({ name }) => name },
        { label: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
        { label: 'Created by', cell: ({ createdBy }) => <span class="word">{createdBy}</span> },
        { label: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { label: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never') },
        { label: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Moment at={expiresAt} /> : 'Never') },
      ]}
      actions={({ id, name }) => (
        <DialogLink href={`${path}/${id}/revoke`} label={`Revoke the token ${name}`} isDangerous>
          Revoke
        </DialogLink>
      )}
    />
  );
}

/** A new token, shown only once. */
export function CreatedApiToken({ token, path }: { token: string; path: string }) {
  return (
    <>
      <Copy id="api-token" text={token} label="Copy token" />
      <p class="notice">
        The token is shown only once. Store it as a secret. If you lose it, revoke it and create another one.
      </p>
      <p>Send it with every request:</p>
      <Copy id="api-token-header" text="Authorization: Token <API token>" label="Copy header" />
      <p>
        <a class="btn btn-outline-secondary" href={path}>
          Back to the tokens
        </a>
      </p>
    </>
  );
}

interface ConfirmRevokeProps {
  page: SignedInPage;
  path: string;
  token: Pick<ApiToken, 'id' | 'name'>;
  problem: FormProblem | undefined;
}

/** Asks before a token is revoked. */
export function ConfirmRevokeApiToken({ page, path, token, problem }: ConfirmRevokeProps) {
  return (
    <ConfirmPage
      page={page}
      title={`Revoke the token “${token.name}”?`}
      verb="Revoke token"
      action={`${path}/${token.id}/revoke`}
      back={path}
      problem={problem}
    >
      <p>Requests with this token will return 401. This cannot be undone.</p>
    </ConfirmPage>
  );
}
