import { Copy } from '../../components/copy.js';
import type { ProjectContext } from '../../layout/viewer.js';

/** What a CI job has to be told: the variables of the snippets. */
export function CiSettings({ project, publicUrl }: { project: ProjectContext; publicUrl: string }) {
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings of the job</h2>
      <h3>RUNHOOK_URL</h3>
      <p>The address of this server, a plain variable:</p>
      <Copy id="ci-url" text={publicUrl} />
      <h3>RUNHOOK_API_TOKEN</h3>
      <p>
        A secret of the CI service: an API token with the scopes <code>read</code> and <code>run</code>.{' '}
        {project.may('apiTokens.edit') ? (
          <>
            Make one that belongs to the project under{' '}
            <a href={`/projects/${project.id}/settings/tokens`}>Settings, Tokens</a>.
          </>
        ) : (
          <>
            Make one of your own in <a href="/profile/tokens">your profile</a>, or ask an owner for one of the project.
          </>
        )}
      </p>
      <h3>RUNHOOK_PACKAGE</h3>
      <p>
        Where <code>npm install</code> finds the <code>runhook</code> command: the file that <code>npm pack</code> makes
        in a clone of Runhook, as an address or a path. The jobs with curl need none.
      </p>
      <h3>WEBHOOK_URL</h3>
      <p>
        A secret too, for “curl, webhook only”, which starts a run and does not wait for it: see{' '}
        <a href={`/projects/${project.id}/integrations/webhooks`}>Webhooks</a>.
      </p>
    </section>
  );
}
