import { Copy } from '#src/web/components/copy.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';

/** What a CI job needs: the variables of the snippets. */
export function CiSettings({ project, publicUrl }: { project: ProjectContext; publicUrl: string }) {
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Job settings</h2>
      <h3>RUNHOOK_URL</h3>
      <p>A plain variable with the URL of this server:</p>
      <Copy id="ci-url" text={publicUrl} />
      <h3>RUNHOOK_API_TOKEN</h3>
      <p>
        A secret with an API token that has the scopes <code>read</code> and <code>run</code>.{' '}
        {project.may('apiTokens.edit') ? (
          <>
            Create a project token under <a href={`/projects/${project.id}/settings/tokens`}>Settings, Tokens</a>.
          </>
        ) : (
          <>
            Create one in <a href="/profile/tokens">your account</a>, or ask an owner for a project token.
          </>
        )}
      </p>
      <h3>RUNHOOK_PACKAGE</h3>
      <p>
        Where <code>npm install</code> finds the <code>runhook</code> command: the file that <code>npm pack</code>{' '}
        creates in a clone of Runhook, as a URL or a path. The curl jobs do not need it.
      </p>
      <h3>WEBHOOK_URL</h3>
      <p>
        A secret as well, for “curl, webhook only”, which starts a run without waiting for it: see{' '}
        <a href={`/projects/${project.id}/integrations/webhooks`}>Webhooks</a>.
      </p>
    </section>
  );
}
