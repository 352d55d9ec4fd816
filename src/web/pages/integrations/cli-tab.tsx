import type { RunKind } from '../../../domain/run.js';
import { formatCommand } from '../../format.js';
import { Copy } from '../../components/copy.js';
import { WhomToAsk } from '../../components/whom-to-ask.js';
import type { ProjectContext } from '../../layout/viewer.js';

export interface CliTabProps {
  project: ProjectContext & { slug: string };
  kind: RunKind;
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
          Your role in this project may not start runs: the command would be refused. <WhomToAsk owners={owners} />
        </p>
      )}
      <h2>Command</h2>
      <p>It starts the {kind}, waits for its end and exits with the verdict: 0 passed, 1 failed, 3 error, 4 stopped.</p>
      <Copy id="outside-command" text={commandOf(kind, target, project.slug)} label="Copy command" />
      <p class="muted">
        In place of the name its id works too, whatever it is called later: <code>{target.id}</code>. More options, such
        as <code>--variable KEY=value</code>, <code>--no-wait</code> and <code>--output-path report.xml</code>, are told
        by <code>runhook {kind} run --help</code>.
      </p>
      <h2>Once before</h2>
      <p>
        Tell it the server and who you are. On your own machine <code>runhook login</code> does both; in CI set two
        variables:
      </p>
      <Copy
        id="outside-settings"
        text={`export RUNHOOK_URL=${formatCommand([publicUrl])}\nexport RUNHOOK_API_TOKEN=rhat_…`}
        label="Copy settings"
      />
      <p>
        <a href="/profile/tokens">Make an API token</a> for it; the scopes <code>read</code> and <code>run</code> will
        do. Ready-made jobs are under <a href={`/projects/${project.id}/integrations/ci`}>Integrations, CI snippets</a>.
      </p>
    </>
  );
}

/** By name, as people know it; what would be read as an option goes by its id. */
function commandOf(kind: RunKind, { id, name }: { id: string; name: string }, slug: string): string {
  return formatCommand(['runhook', kind, 'run', name.startsWith('-') ? id : name, '--project', slug]);
}
