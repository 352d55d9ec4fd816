import type { ApiToken } from '#src/domain/people/people.js';
import { Copy } from './copy.js';
import { DataTable } from './data-table.js';
import { DialogLink } from './dialog-link.js';
import { Empty } from './empty-state.js';
import { Moment } from './moment.js';

/** API tokens, each with its scopes and a link to revoke it. @param path of the list; `/{id}/revoke` below it asks first */
export function ApiTokenTable({ tokens, path }: { tokens: readonly ApiToken[]; path: string }) {
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
export function NewApiToken({ token, path }: { token: string; path: string }) {
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
