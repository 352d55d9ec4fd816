import { WhomToAsk } from '#src/web/components/whom-to-ask.js';
import { TokenHidden } from '#src/web/integrations/token-hidden.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { IntegrationsLayout } from '#src/web/integrations/integrations-layout.js';
import { LatestCalls, type LatestCall } from './latest-calls.js';
import { UrlTemplates } from './url-templates.js';
import { EndedTokens, LiveTokens, type EndedToken, type LiveToken } from './webhook-tokens.js';
import { DocsLink } from '#src/web/components/docs-link.js';

interface TokensOfProject {
  /** Newest first. */
  live: readonly LiveToken[];
  /** Revoked or expired, newest first. */
  ended: readonly EndedToken[];
}

interface WebhooksPageProps {
  page: SignedInPage;
  project: ProjectContext;
  publicUrl: string;
  /** Absent for viewers who may not see them. */
  tokens?: TokensOfProject | undefined;
  /** Shown in clear: for browsers without scripts. */
  isRevealed: boolean;
  calls: readonly LatestCall[];
  /** Emails. */
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
          A POST to one of these URLs starts a run. No headers or body are required: the token in the URL authorizes the
          call. <DocsLink to="webhooks" />
        </p>
        {tokens ? null : <TokenHidden what="token" owners={owners} />}
        {tokens && !current ? <NoToken project={project} owners={owners} /> : null}
        <UrlTemplates publicUrl={publicUrl} token={current?.token} isRevealed={isRevealed} />
        <p class="muted">
          Insert the ID of a test or suite for <code>&lt;TEST_ID&gt;</code> or <code>&lt;SUITE_ID&gt;</code>. To copy
          the complete URL of a test or suite, open its “…” menu and choose “Run via CLI or webhook”.
        </p>
      </section>
      {tokens ? <LiveTokens project={project} tokens={tokens.live} isRevealed={isRevealed} /> : null}
      {tokens && tokens.ended.length > 0 ? <EndedTokens tokens={tokens.ended} /> : null}
      <LatestCalls project={project} calls={calls} />
    </IntegrationsLayout>
  );
}

function NoToken({ project, owners }: { project: ProjectContext; owners: readonly string[] }) {
  return (
    <div class="notice bad">
      <p>
        This project has no active webhook token, so its webhooks do not work.{' '}
        {project.may('webhookTokens.edit') ? 'Create one below.' : <WhomToAsk owners={owners} />}
      </p>
    </div>
  );
}
