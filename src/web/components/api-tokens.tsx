import type { ApiToken } from '../../domain/people.js';
import { Copy } from './copy.js';
import { Empty } from './empty.js';
import { Moment } from './moment.js';

/** API tokens, each with what it opens and a link to revoke it. @param path below which `/{id}/revoke` asks */
export function ApiTokenTable({ tokens, path }: { tokens: readonly ApiToken[]; path: string }) {
  if (tokens.length === 0)
    return (
      <Empty title="No API token yet">
        <p>
          A token lets a script or a CI job call the API, or the <code>runhook</code> command. Make one below.
        </p>
      </Empty>
    );
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Opens</th>
          <th scope="col">Made by</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">Good until</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {tokens.map(({ id, name, scopes, createdAt, createdBy, lastUsedAt, expiresAt }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td data-label="Opens">{scopes.join(', ')}</td>
            <td data-label="Made by">
              <span class="word">{createdBy}</span>
            </td>
            <td data-label="Made">
              <Moment at={createdAt} />
            </td>
            <td data-label="Last used">{lastUsedAt ? <Moment at={lastUsedAt} /> : 'never'}</td>
            <td data-label="Good until">{expiresAt ? <Moment at={expiresAt} /> : 'it is revoked'}</td>
            <td class="actions">
              <a
                class="btn btn-sm btn-outline-danger"
                href={`${path}/${id}/revoke`}
                data-dialog
                aria-label={`Revoke the token ${name}`}
              >
                Revoke
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A new token, shown this once. */
export function NewApiToken({ token, path }: { token: string; path: string }) {
  return (
    <>
      <Copy id="api-token" text={token} label="Copy the token" />
      <p class="notice">
        It is shown this once only. Keep it where secrets are kept; if it gets lost, revoke it and make another.
      </p>
      <p>Send it with every call:</p>
      <Copy id="api-token-header" text="Authorization: Token <API token>" label="Copy the header" />
      <p>
        <a class="btn btn-outline-secondary" href={path}>
          Back to the tokens
        </a>
      </p>
    </>
  );
}
