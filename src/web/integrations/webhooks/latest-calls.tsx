import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Empty } from '#src/web/components/empty-state.js';
import { Moment } from '#src/web/components/moment.js';
import { TargetLink } from '#src/web/components/schedule-table.js';
import { Status } from '#src/web/components/status.js';
import type { ProjectContext } from '#src/web/layout/page-context.js';

/** A call of a webhook that started a run. */
export interface LatestCall {
  runId: string;
  at: Date;
  kind: TargetKind;
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
        <Empty title="No recent calls" help="webhooks">
          <p>
            Open the “…” menu of one of the <a href={`/projects/${project.id}/tests`}>tests</a>, choose “Run via CLI or
            webhook” and send the POST. The call appears here.
          </p>
        </Empty>
      ) : (
        <>
          <CallTable calls={calls} />
          <p class="paging">
            <a href={`/projects/${project.id}/runs?trigger=webhook`}>All runs started by webhooks</a>
          </p>
        </>
      )}
      <p class="muted">Rejected calls are not listed because they belong to no project.</p>
    </section>
  );
}

function CallTable({ calls }: { calls: readonly LatestCall[] }) {
  return (
    <DataTable
      items={calls}
      columns={[
        { label: 'Time', cell: ({ at }) => <Moment at={at} /> },
        {
          label: 'Started',
          cell: ({ kind, targetId, targetName }) => <TargetLink kind={kind} id={targetId} name={targetName} />,
        },
        { label: 'Status', cell: ({ status }) => <Status status={status} /> },
        {
          label: 'Run',
          cell: ({ runId, targetName }) => (
            <a href={`/runs/${runId}`}>
              <code>{runId.slice(0, 8)}</code>
              <span class="visually-hidden">, run of {targetName}</span>
            </a>
          ),
        },
      ]}
    />
  );
}
