import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { formatCommand } from '#src/web/texts/format.js';
import { Copy } from '#src/web/components/copy.js';
import { WhomToAsk } from '#src/web/components/whom-to-ask.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';

interface CliTabProps {
  project: ProjectContext & { slug: string };
  kind: TargetKind;
  target: { id: string; name: string };
  publicUrl: string;
  owners: readonly string[];
}

/** How the `runhook` command starts one test or suite. */
export function CliTab({ project, kind, target, publicUrl, owners }: CliTabProps) {
  return (
    <>
      {project.may('runs.start') ? null : (
        <p class="notice">
          Your role in this project does not allow you to start runs, so the command would be rejected.{' '}
          <WhomToAsk owners={owners} />
        </p>
      )}
      <h2>Command</h2>
      <p>
        It starts the {kind}, waits for it to complete and exits with the verdict: 0 passed, 1 failed, 3 error, 4
        stopped.
      </p>
      <Copy id="outside-command" text={commandOf(kind, target, project.slug)} label="Copy command" />
      <p class="muted">
        You can also use the ID, which does not change when it is renamed: <code>{target.id}</code>. More options, such
        as <code>--variable KEY=value</code>, <code>--no-wait</code> and <code>--output-path report.xml</code>, are
        listed by <code>runhook {kind} run --help</code>.
      </p>
      <h2>Before the first run</h2>
      <p>
        Configure the server and your credentials. On your own machine <code>runhook login</code> does both. In CI, set
        two variables:
      </p>
      <Copy
        id="outside-settings"
        text={`export RUNHOOK_URL=${formatCommand([publicUrl])}\nexport RUNHOOK_API_TOKEN=rhat_…`}
        label="Copy settings"
      />
      <p>
        <a href="/profile/tokens">Create an API token</a> with the scopes <code>read</code> and <code>run</code>. For
        complete CI jobs see <a href={`/projects/${project.id}/integrations/ci`}>Integrations, CI snippets</a>.
      </p>
    </>
  );
}

/** By name, as people know it; what would be read as an option goes by its id. */
function commandOf(kind: TargetKind, { id, name }: { id: string; name: string }, slug: string): string {
  return formatCommand(['runhook', kind, 'run', name.startsWith('-') ? id : name, '--project', slug]);
}
