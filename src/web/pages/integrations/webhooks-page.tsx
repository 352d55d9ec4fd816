import type { WebhookToken } from '../../../domain/records.js';
import { WhomToAsk } from '../../components/whom-to-ask.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';
import { IntegrationsLayout } from './integrations-layout.js';
import { LatestCalls, type LatestCall } from './latest-calls.js';
import { UrlTemplates } from './url-templates.js';
import { EndedTokens, LiveTokens } from './webhook-tokens.js';

type Facts = Pick<WebhookToken, 'number' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'allowedNetworks'>;

/** A token that opens something. */
export type LiveToken = Facts & { token: string };

export interface TokensOfProject {
  /** Newest first. */
  live: readonly LiveToken[];
  /** Revoked or expired, newest first. */
  ended: readonly Facts[];
}

export type EndedToken = TokensOfProject['ended'][number];

export interface WebhooksPageProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  publicUrl: string;
  /** None for who may not see them. */
  tokens?: TokensOfProject | undefined;
  /** Shown in clear: for who runs no scripts. */
  isRevealed: boolean;
  calls: readonly LatestCall[];
  /** E-mails. */
  owners: readonly string[];
}

/** GET /projects/{id}/integrations/webhooks */
export function WebhooksPage({ page, project, publicUrl, tokens, isRevealed, calls, owners }: WebhooksPageProps) {
  const current = tokens?.live[0];
  return (
    <IntegrationsLayout page={page} project={project} tab="webhooks">
      <section aria-labelledby="urls">
        <h2 id="urls">Webhook URLs</h2>
        <p>
          A POST to such a URL starts a run. It needs no header and no body: the token in it says that the caller may.
        </p>
        {tokens ? null : <NotAllowed owners={owners} />}
        {tokens && !current ? <NoToken project={project} owners={owners} /> : null}
        <UrlTemplates publicUrl={publicUrl} token={current?.token} isRevealed={isRevealed} />
        <p class="muted">
          Put the id of a test or suite in place of <code>&lt;TEST_ID&gt;</code> or <code>&lt;SUITE_ID&gt;</code>. The
          whole URL of one, ready to copy, is in its “…” menu under “Run via CLI or webhook”.
        </p>
      </section>
      {tokens ? <LiveTokens project={project} tokens={tokens.live} isRevealed={isRevealed} /> : null}
      {tokens && tokens.ended.length > 0 ? <EndedTokens tokens={tokens.ended} /> : null}
      <LatestCalls project={project} calls={calls} />
    </IntegrationsLayout>
  );
}

function NotAllowed({ owners }: { owners: readonly string[] }) {
  return (
    <div class="notice">
      <p>
        The token is not shown to you: whoever has it can start runs, and your role in this project is to look on.
        Editors and owners see it.
      </p>
      <p>
        <WhomToAsk owners={owners} />
      </p>
    </div>
  );
}

function NoToken({ project, owners }: { project: ProjectContext; owners: readonly string[] }) {
  return (
    <div class="notice bad">
      <p>
        This project has no token that is good: its webhooks start nothing.{' '}
        {project.may('webhookTokens.edit') ? 'Make a new one below.' : <WhomToAsk owners={owners} />}
      </p>
    </div>
  );
}
