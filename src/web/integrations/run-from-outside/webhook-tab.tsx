import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { webhookPath } from '#src/domain/tokens/webhook-url.js';
import { Copy } from '#src/web/components/copy.js';
import { Moment } from '#src/web/components/moment.js';
import { WhomToAsk } from '#src/web/components/whom-to-ask.js';
import { TokenHidden } from '#src/web/integrations/token-hidden.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';

/** The token of the webhook, or why none is shown. */
export type WebhookOfTarget =
  | { token: string; expiresAt?: Date | undefined; allowedNetworks?: readonly string[] | undefined }
  | 'not-allowed'
  | 'no-token';

interface WebhookTabProps {
  project: ProjectContext;
  kind: TargetKind;
  target: { id: string };
  publicUrl: string;
  webhook: WebhookOfTarget;
  owners: readonly string[];
}

/** The webhook of one test or suite: its URL, a curl command, and a button that calls it. */
export function WebhookTab({ project, kind, target, publicUrl, webhook, owners }: WebhookTabProps) {
  if (webhook === 'not-allowed') return <TokenHidden what="URL" owners={owners} />;
  if (webhook === 'no-token') return <NoToken project={project} owners={owners} />;
  const path = webhookPath(webhook.token, kind, target.id);
  return (
    <>
      <h2 id="outside-url-title">Webhook URL</h2>
      <p>
        A POST to this URL starts the {kind} once. No headers or body are required. Anyone with the URL can start runs
        of this project: treat it like a password.
      </p>
      <Copy id="outside-url" text={publicUrl + path} label="Copy URL" />
      <Conditions {...webhook} />
      <h2>With curl</h2>
      <Copy id="outside-curl" text={curlOf(publicUrl + path)} label="Copy command" />
      <p class="muted">
        The same <code>Idempotency-Key</code> returns the same run: repeating a call whose response was lost does not
        start a second run. In CI, use the job’s ID. Without the header, every call starts a new run.
      </p>
      <h2>Try it</h2>
      <form method="post" action={path} data-send-now="#outside-answer">
        <p>Sends the POST request from this browser and starts a run.</p>
        <button type="submit" class="btn btn-primary">
          Send now
        </button>
      </form>
      <div id="outside-answer" class="answer" role="status" />
    </>
  );
}

/** `uuidgen`: a new key each time the command is run. */
function curlOf(url: string): string {
  return `curl -X POST -H "Idempotency-Key: $(uuidgen)" \\\n'${url}'`;
}

function Conditions({ expiresAt, allowedNetworks }: Exclude<WebhookOfTarget, string>) {
  return (
    <>
      {expiresAt ? (
        <p class="notice">
          It expires <Moment at={expiresAt} />.
        </p>
      ) : null}
      {allowedNetworks ? (
        <p class="notice">It accepts calls only from {allowedNetworks.join(', ')}; other addresses get 404.</p>
      ) : null}
    </>
  );
}

function NoToken({ project, owners }: { project: ProjectContext; owners: readonly string[] }) {
  return (
    <div class="notice">
      <p>This project has no active webhook token: all tokens are revoked or expired.</p>
      <p>
        {project.may('webhookTokens.edit') ? (
          <a href={`/projects/${project.id}/integrations/webhooks`}>Create one under Integrations</a>
        ) : (
          <WhomToAsk owners={owners} />
        )}
      </p>
    </div>
  );
}
