import type { WorkerRecord } from '#src/domain/records.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Moment } from '#src/web/components/moment.js';
import { State } from '#src/web/components/state.js';
import { formatDuration } from '#src/web/texts/format.js';

export type ShownWorker = WorkerRecord & { isLive: boolean; agoMs: number };

/** Worker processes, each with what it says of itself. */
export function WorkerTable({ workers }: { workers: readonly ShownWorker[] }) {
  return (
    <DataTable
      items={workers}
      columns={[
        {
          label: 'Host and process',
          cell: ({ host, pid }) => (
            <>
              {host}
              <div class="muted">process {pid}</div>
            </>
          ),
        },
        { label: 'State', cell: (worker) => <WorkerState {...worker} /> },
        {
          label: 'Pools',
          cell: ({ pools, workflows }) => (
            <>
              {pools.join(', ') || 'none'}
              {workflows ? <span class="muted"> and workflows</span> : null}
            </>
          ),
        },
        {
          label: 'Slots',
          cell: ({ slots, limits, isolation }) => (
            <>
              {slots}
              {limits ? <div class="muted">limits: {limits}</div> : null}
              {isolation ? <div class="muted">isolation: {isolation}</div> : null}
            </>
          ),
        },
        { label: 'Build', cell: ({ buildId }) => buildId ?? '–' },
        { label: 'Started', cell: ({ startedAt }) => <Moment at={startedAt} /> },
        {
          label: 'Last seen',
          cell: ({ agoMs }) => `${formatDuration(new Date(0), new Date(Math.round(agoMs / 1000) * 1000))} ago`,
          class: 'nowrap',
        },
      ]}
    />
  );
}

function WorkerState({ isLive, stoppedAt }: ShownWorker) {
  if (isLive) return <State level="good">live</State>;
  return stoppedAt ? <State level="still">shut down</State> : <State level="bad">lost</State>;
}
