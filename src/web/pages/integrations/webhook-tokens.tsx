import { maskedToken } from '../../../domain/webhook-url.js';
import { Copy } from '../../components/copy.js';
import { Facts } from '../../components/facts.js';
import { Moment } from '../../components/moment.js';
import type { ProjectContext } from '../../layout/viewer.js';
import { secrecyOf } from './secrecy-of.js';
import type { EndedToken, LiveToken } from './webhooks-page.js';

export interface LiveTokensProps {
  project: ProjectContext;
  tokens: readonly LiveToken[];
  isRevealed: boolean;
}

/** The tokens that are good: one, or several while an older one is still good beside its successor. */
export function LiveTokens({ project, tokens, isRevealed }: LiveTokensProps) {
  const path = `/projects/${project.id}/integrations/webhooks`;
  const mayEdit = project.may('webhookTokens.edit');
  return (
    <section aria-labelledby="tokens">
      <div class="title-row">
        <h2 id="tokens">{tokens.length > 1 ? 'Webhook tokens' : 'Webhook token'}</h2>
        {mayEdit ? (
          <a class="btn btn-outline-primary" href={`${path}/rotate`} data-dialog>
            {tokens.length > 0 ? 'Rotate …' : 'Make a token …'}
          </a>
        ) : null}
      </div>
      {tokens.length > 1 ? (
        <p class="notice">
          Several tokens are good at the moment, so that callers can change over. The URLs above hold the newest.
        </p>
      ) : null}
      <ul class="cards">
        {tokens.map((one) => (
          <li key={one.number}>
            <TokenCard token={one} isRevealed={isRevealed} path={mayEdit ? path : undefined} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TokenCardProps {
  token: LiveToken;
  isRevealed: boolean;
  /** None for who may not change it. */
  path: string | undefined;
}

function TokenCard({ token, isRevealed, path }: TokenCardProps) {
  const { number } = token;
  return (
    <>
      <h3>Token {number}</h3>
      <Copy
        id={`token-${number}`}
        text={token.token}
        secret={secrecyOf(maskedToken(token.token), isRevealed)}
        label="Copy token"
      />
      <Facts
        of={[
          ['Made', <Moment at={token.createdAt} />],
          ['Last used', token.lastUsedAt ? <Moment at={token.lastUsedAt} /> : 'never'],
          ['Good until', token.expiresAt ? <Moment at={token.expiresAt} /> : 'it is revoked'],
          ['Takes calls from', token.allowedNetworks?.join(', ') ?? 'everywhere'],
        ]}
      />
      {path === undefined ? null : (
        <p class="buttons">
          <a class="btn btn-sm btn-outline-secondary" href={`${path}/${number}/networks`} data-dialog>
            Change networks …
          </a>
          <a class="btn btn-sm btn-outline-danger" href={`${path}/${number}/revoke`} data-dialog>
            Revoke …
          </a>
        </p>
      )}
    </>
  );
}

/** The tokens that open nothing any more. */
export function EndedTokens({ tokens }: { tokens: readonly EndedToken[] }) {
  return (
    <details>
      <summary>Earlier tokens ({tokens.length})</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">Made</th>
            <th scope="col">Last used</th>
            <th scope="col">Ended</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ number, createdAt, lastUsedAt, revokedAt, expiresAt }) => (
            <tr key={number}>
              <th scope="row">Token {number}</th>
              <td data-label="Made">
                <Moment at={createdAt} />
              </td>
              <td data-label="Last used">{lastUsedAt ? <Moment at={lastUsedAt} /> : 'never'}</td>
              <td data-label="Ended">
                {revokedAt ? 'revoked ' : 'expired '}
                <Moment at={revokedAt ?? expiresAt!} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
