import type { RunStatus } from '../../../domain/run-status.js';
import type { RunKind } from '../../../domain/run.js';
import { Empty } from '../../components/empty.js';
import { Moment } from '../../components/moment.js';
import { Status } from '../../components/status.js';
import type { ProjectContext } from '../../layout/viewer.js';

/** A call of a webhook that started a run. */
export interface LatestCall {
  runId: string;
  at: Date;
  kind: RunKind;
  targetId: string;
  targetName: string;
  status: RunStatus;
}

/** The latest calls of a project's webhooks. */
export function LatestCalls({ project, calls }: { project: ProjectContext; calls: readonly LatestCall[] }) {
  return (
    <section aria-labelledby="calls">
      <h2 id="calls">Latest calls</h2>
      {calls.length === 0 ? (
        <Empty title="No call has come lately">
          <p>
            Open the “…” menu of one of the <a href={`/projects/${project.id}/tests`}>tests</a>, choose “Run via CLI or
            webhook” and send its POST. It is listed here at once.
          </p>
        </Empty>
      ) : (
        <>
          <CallTable calls={calls} />
          <p class="paging">
            <a href={`/projects/${project.id}/runs?trigger=webhook`}>All runs that webhooks have started</a>
          </p>
        </>
      )}
      <p class="muted">Calls that were refused are not listed: they belong to no project.</p>
    </section>
  );
}

function CallTable({ calls }: { calls: readonly LatestCall[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Started</th>
          <th scope="col">Status</th>
          <th scope="col">Run</th>
        </tr>
      </thead>
      <tbody>
        {calls.map(({ runId, at, kind, targetId, targetName, status }) => (
          <tr key={runId}>
            <th scope="row">
              <Moment at={at} />
            </th>
            <td data-label="Started">
              <a href={`/${kind}s/${targetId}`}>{targetName}</a> <span class="muted">{kind}</span>
            </td>
            <td data-label="Status">
              <Status status={status} />
            </td>
            <td data-label="Run">
              <a href={`/runs/${runId}`}>
                <code>{runId.slice(0, 8)}</code>
                <span class="visually-hidden">, run of {targetName}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
