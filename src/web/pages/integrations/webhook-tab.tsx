import type { RunKind } from '../../../domain/run.js';
import { webhookPath } from '../../../domain/webhook-url.js';
import { Copy } from '../../components/copy.js';
import { Moment } from '../../components/moment.js';
import { WhomToAsk } from '../../components/whom-to-ask.js';
import type { ProjectContext } from '../../layout/viewer.js';

/** The token that opens the webhook, or why there is none to show. */
export type WebhookOfTarget =
  | { token: string; expiresAt?: Date | undefined; allowedNetworks?: readonly string[] | undefined }
  | 'not-allowed'
  | 'no-token';

export interface WebhookTabProps {
  project: ProjectContext;
  kind: RunKind;
  target: { id: string };
  publicUrl: string;
  webhook: WebhookOfTarget;
  owners: readonly string[];
}

/** The webhook of one test or suite: its URL, a call of it, and a call at once. */
export function WebhookTab({ project, kind, target, publicUrl, webhook, owners }: WebhookTabProps) {
  if (webhook === 'not-allowed') return <NotAllowed owners={owners} />;
  if (webhook === 'no-token') return <NoToken project={project} owners={owners} />;
  const path = webhookPath(webhook.token, kind, target.id);
  return (
    <>
      <h2 id="outside-url-title">Webhook URL</h2>
      <p>
        A POST to this URL starts the {kind} once; it needs no header and no body. Whoever has the URL can start runs of
        this project: keep it like a password.
      </p>
      <Copy id="outside-url" text={publicUrl + path} label="Copy URL" />
      <Conditions {...webhook} />
      <h2>With curl</h2>
      <Copy id="outside-curl" text={curlOf(publicUrl + path)} label="Copy command" />
      <p class="muted">
        The same <code>Idempotency-Key</code> is the same run: a call that is repeated with it, because its answer was
        lost, starts no second one. In CI give the job’s id; without the header every call is a new run.
      </p>
      <h2>Try it</h2>
      <form method="post" action={path} data-send-now="#outside-answer">
        <p>Sends the POST from this browser and starts a real run.</p>
        <button type="submit" class="btn btn-primary">
          Send it now
        </button>
      </form>
      <div id="outside-answer" class="answer" role="status" />
    </>
  );
}

/** `uuidgen`: a new key each time that it is pasted. */
function curlOf(url: string): string {
  return `curl -X POST -H "Idempotency-Key: $(uuidgen)" \\\n'${url}'`;
}

function Conditions({ expiresAt, allowedNetworks }: Exclude<WebhookOfTarget, string>) {
  return (
    <>
      {expiresAt ? (
        <p class="notice">
          It is good until <Moment at={expiresAt} />.
        </p>
      ) : null}
      {allowedNetworks ? (
        <p class="notice">It takes calls only from {allowedNetworks.join(', ')}; from elsewhere the answer is 404.</p>
      ) : null}
    </>
  );
}

function NotAllowed({ owners }: { owners: readonly string[] }) {
  return (
    <div class="notice">
      <p>
        The URL is not shown to you: whoever has it can start runs, and your role in this project is to look on. Editors
        and owners see it.
      </p>
      <p>
        <WhomToAsk owners={owners} />
      </p>
    </div>
  );
}

function NoToken({ project, owners }: { project: ProjectContext; owners: readonly string[] }) {
  return (
    <div class="notice">
      <p>This project has no webhook token that is good at the moment: they were all revoked, or have expired.</p>
      <p>
        {project.may('webhookTokens.edit') ? (
          <a href={`/projects/${project.id}/integrations/webhooks`}>Make a new one under Integrations</a>
        ) : (
          <WhomToAsk owners={owners} />
        )}
      </p>
    </div>
  );
}
