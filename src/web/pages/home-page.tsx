import type { RunStatus } from '../../domain/run-status.js';
import type { RunKind } from '../../domain/run.js';
import { formatDuration } from '../format.js';
import { Layout } from '../layout/layout.js';
import type { PageContext } from '../layout/viewer.js';
import { Moment } from '../components/moment.js';
import { Status } from '../components/status.js';

export interface ListedRun {
  id: string;
  kind: RunKind;
  projectName: string;
  targetName: string;
  status: RunStatus;
  queuedAt: Date;
  startedAt?: Date | undefined;
  endedAt?: Date | undefined;
}

export interface HomePageProps {
  /** The newest first. */
  runs: ListedRun[];
  /** Base of webhook URLs. */
  publicUrl: string;
  now: Date;
  page?: PageContext | undefined;
}

/** GET / */
export function HomePage({ runs, publicUrl, now, page }: HomePageProps) {
  return (
    <Layout title="Latest runs" page={page}>
      <h1>Latest runs</h1>
      {runs.length > 0 ? <RunTable runs={runs} now={now} /> : <NoRuns publicUrl={publicUrl} />}
    </Layout>
  );
}

function RunTable({ runs, now }: { runs: ListedRun[]; now: Date }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Status</th>
          <th scope="col">Project</th>
          <th scope="col">Queued</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {runs.map(({ id, kind, projectName, targetName, status, queuedAt, startedAt, endedAt }) => (
          <tr key={id}>
            <th scope="row">
              <a href={`/runs/${id}`}>{targetName}</a> <span class="muted">{kind}</span>
            </th>
            <td>
              <Status status={status} />
            </td>
            <td data-label="Project">{projectName}</td>
            <td data-label="Queued">
              <Moment at={queuedAt} />
            </td>
            <td data-label="Duration">{startedAt ? formatDuration(startedAt, endedAt ?? now) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NoRuns({ publicUrl }: { publicUrl: string }) {
  return (
    <>
      <p>There are no runs yet. A POST to a webhook URL starts one:</p>
      <pre>
        <code>{`curl -X POST ${publicUrl}/webhooks/<WEBHOOK_TOKEN>/tests/run/<test_id>`}</code>
      </pre>
      <p>
        For a suite, the path ends in <code>/suites/run/&lt;suite_id&gt;</code>. The answer holds the run’s id and the
        address of its page.
      </p>
      <p>
        URLs with the token and the ids filled in are printed by <code>npm start</code> and by{' '}
        <code>runhook setup --project FILE</code>.
      </p>
    </>
  );
}
