import type { ListedRun } from '#src/domain/runs/run.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Moment } from '#src/web/components/moment.js';
import { Elapsed } from '#src/web/components/elapsed.js';
import { TRIGGERS } from '#src/web/components/run/run-facts.js';
import { Status } from '#src/web/components/status.js';
import { LIVE_PART } from '#src/web/components/live/live-part.js';

interface RunTableProps {
  runs: readonly ListedRun[];
  now: Date;
  /** Rows that have changed, for pages that are open. */
  isPart?: boolean;
}

/** Runs, a row each. */
export function RunTable({ runs, now, isPart = false }: RunTableProps) {
  return (
    <DataTable
      items={runs}
      hasHead={!isPart}
      row={({ _id }) => ({ id: `run-${_id}`, ...(isPart ? LIVE_PART : {}) })}
      columns={[
        {
          label: 'Run',
          cell: (run) => (
            <>
              <a href={`/runs/${run._id}`}>{run.targetName}</a>{' '}
              <span class="muted">{run.kind === 'test' && run.suiteRunId ? 'test, in a suite' : run.kind}</span>
            </>
          ),
        },
        { label: 'Status', cell: ({ status }) => <Status status={status} />, isUnlabeled: true },
        {
          label: 'Started by',
          cell: ({ triggeredBy: { type, name } }) => [TRIGGERS[type], name].filter(Boolean).join(', '),
        },
        { label: 'Queued', cell: ({ queuedAt }) => <Moment at={queuedAt} /> },
        {
          label: 'Duration',
          cell: ({ startedAt, endedAt }) => (startedAt ? <Elapsed from={startedAt} to={endedAt} now={now} /> : '–'),
        },
      ]}
    />
  );
}
