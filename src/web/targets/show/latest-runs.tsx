import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { RunStatus } from '#src/domain/runs/run-status.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Empty } from '#src/web/components/empty-state.js';
import { Moment } from '#src/web/components/moment.js';
import { Status } from '#src/web/components/status.js';
import { formatDuration } from '#src/web/texts/format.js';

export interface LatestRun {
  id: string;
  status: RunStatus;
  queuedAt: Date;
  startedAt?: Date | undefined;
  endedAt?: Date | undefined;
}

interface LatestRunsProps {
  kind: TargetKind;
  /** Of the test or suite. */
  id: string;
  isArchived: boolean;
  projectId: string;
  /** The newest first. */
  runs: readonly LatestRun[];
  now: Date;
}

/** The latest runs of a test or suite, on its page. */
export function LatestRuns({ kind, id: targetId, isArchived, projectId, runs, now }: LatestRunsProps) {
  if (runs.length === 0)
    return (
      <Empty title="No runs yet" help="webhooks">
        <p>
          {isArchived
            ? 'No runs, or their retention has ended.'
            : `Press “Run”, or start the ${kind} with its webhook URL: see “Run via CLI or webhook” in the menu.`}
        </p>
      </Empty>
    );
  return (
    <>
      <DataTable
        items={runs}
        row={({ id }) => ({ id: `run-${id}` })}
        columns={[
          {
            label: 'Run',
            cell: ({ id, queuedAt }) => (
              <a href={`/runs/${id}`}>
                <Moment at={queuedAt} />
              </a>
            ),
          },
          { label: 'Status', cell: ({ status }) => <Status status={status} />, isUnlabeled: true },
          {
            label: 'Duration',
            cell: ({ startedAt, endedAt }) => (startedAt ? formatDuration(startedAt, endedAt ?? now) : '–'),
          },
        ]}
      />
      <p>
        <a href={`/projects/${projectId}/runs?targetId=${targetId}`}>All runs</a>
      </p>
    </>
  );
}
