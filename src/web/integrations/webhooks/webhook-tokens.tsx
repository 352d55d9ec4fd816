import type { WebhookToken } from '#src/domain/records.js';
import { maskedToken } from '#src/domain/tokens/webhook-url.js';
import { Copy } from '#src/web/components/copy.js';
import { DataTable } from '#src/web/components/data-table.js';
import { DialogLink } from '#src/web/components/dialog-link.js';
import { Facts } from '#src/web/components/facts.js';
import { Moment } from '#src/web/components/moment.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';
import { secrecyOf } from './secrecy-of.js';

/** A token that no longer works. */
export type EndedToken = Pick<
  WebhookToken,
  'number' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'allowedNetworks'
>;

/** An active token. */
export type LiveToken = EndedToken & { token: string };

interface LiveTokensProps {
  project: ProjectContext;
  tokens: readonly LiveToken[];
  isRevealed: boolean;
}

/** The active tokens: one, or several while an older one overlaps with its successor. */
export function LiveTokens({ project, tokens, isRevealed }: LiveTokensProps) {
  const path = `/projects/${project.id}/integrations/webhooks`;
  const mayEdit = project.may('webhookTokens.edit');
  return (
    <section aria-labelledby="tokens">
      <div class="title-row">
        <h2 id="tokens">{tokens.length > 1 ? 'Webhook tokens' : 'Webhook token'}</h2>
        {mayEdit ? (
          <a class="btn btn-outline-primary" href={`${path}/rotate`} data-dialog>
            {tokens.length > 0 ? 'Rotate …' : 'Create token …'}
          </a>
        ) : null}
      </div>
      {tokens.length > 1 ? (
        <p class="notice">
          Several tokens are active, so that callers can switch. The URLs above contain the newest one.
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
  /** Absent for viewers who may not change it. */
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
          ['Created', <Moment at={token.createdAt} />],
          ['Last used', token.lastUsedAt ? <Moment at={token.lastUsedAt} /> : 'Never'],
          ['Expires', token.expiresAt ? <Moment at={token.expiresAt} /> : 'Never'],
          ['Allowed networks', token.allowedNetworks?.join(', ') ?? 'everywhere'],
        ]}
      />
      {path === undefined ? null : (
        <p class="buttons">
          <DialogLink href={`${path}/${number}/networks`}>Change networks …</DialogLink>
          <DialogLink href={`${path}/${number}/revoke`} isDangerous>
            Revoke …
          </DialogLink>
        </p>
      )}
    </>
  );
}

/** Tokens that are revoked or expired. */
export function EndedTokens({ tokens }: { tokens: readonly EndedToken[] }) {
  return (
    <details>
      <summary>Earlier tokens ({tokens.length})</summary>
      <DataTable
        items={tokens}
        columns={[
          { label: 'Token', cell: ({ number }) => `Token ${number}` },
          { label: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { label: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'Never') },
          {
            label: 'Ended',
            cell: ({ revokedAt, expiresAt }) => (
              <>
                {revokedAt ? 'revoked ' : 'expired '}
                <Moment at={revokedAt ?? expiresAt!} />
              </>
            ),
          },
        ]}
      />
    </details>
  );
}
