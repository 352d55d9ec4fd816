import { DataTable } from '#src/web/components/data-table.js';
import { Empty } from '#src/web/components/empty-state.js';
import { State } from '#src/web/components/state.js';
import { formatCount } from '#src/web/texts/format.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';
import { WorkerTable, type ShownWorker } from './worker-table.js';

/** What Temporal knows of a task queue. */
interface ShownQueue {
  pollers: readonly { identity: string; lastSeenAt?: Date }[];
  backlog: number;
}

interface ShownPool {
  pool: string;
  runners: number;
  slots: number;
  queued: number;
  queue?: ShownQueue | undefined;
}

interface WorkersPageProps extends AdminProps {
  pools: readonly ShownPool[];
  workers: readonly ShownWorker[];
  workflowQueue?: ShownQueue | undefined;
}

/** Admin, Workers: pools with what waits in them, and the workers that serve them. */
export function WorkersPage({ page, pools, workers, workflowQueue }: WorkersPageProps) {
  const hasWorkflows = workers.some(({ isLive, workflows }) => isLive && workflows);
  return (
    <AdminLayout page={page} tab="workers">
      <p>Workers send a heartbeat every 10 seconds. A worker without a heartbeat for 35 seconds is considered lost.</p>
      {workers.length > 0 && !hasWorkflows ? (
        <p class="notice bad">
          No live worker executes workflows, so no run starts. Start one with <code>RUNHOOK_WORKFLOWS=true</code>, or
          leave that variable unset.
        </p>
      ) : null}
      <h2>Pools</h2>
      {pools.length === 0 ? (
        <Empty title="No workers yet" help="pools">
          <p>
            Runs are accepted and stay queued. Start a worker with <code>RUNHOOK_POOLS=default</code> to execute them.
          </p>
        </Empty>
      ) : (
        <PoolTable pools={pools} />
      )}
      {workflowQueue ? (
        <p class="muted">
          Workflow task queue in Temporal: {formatCount(workflowQueue.pollers.length, 'poller')},{' '}
          {formatCount(workflowQueue.backlog, 'task')} waiting.
        </p>
      ) : (
        <p class="notice">Temporal is unavailable, so its pollers are not shown.</p>
      )}
      {workers.length > 0 ? (
        <>
          <h2>Worker processes</h2>
          <WorkerTable workers={workers} />
        </>
      ) : null}
    </AdminLayout>
  );
}

function PoolTable({ pools }: { pools: readonly ShownPool[] }) {
  return (
    <DataTable
      items={pools}
      columns={[
        { label: 'Pool', cell: ({ pool }) => <code>{pool}</code> },
        { label: 'State', cell: (pool) => <PoolState {...pool} /> },
        { label: 'Workers', cell: ({ runners }) => runners },
        { label: 'Slots', cell: ({ slots }) => slots },
        { label: 'Queued tests', cell: ({ queued }) => queued.toLocaleString('en') },
        { label: 'Pollers in Temporal', cell: ({ queue }) => (queue ? <Pollers {...queue} /> : 'unknown') },
      ]}
    />
  );
}

function PoolState({ pool, runners, queued }: ShownPool) {
  if (runners > 0) return <State level="good">served</State>;
  return (
    <>
      <State level={queued > 0 ? 'bad' : 'warn'}>no runner in pool {pool}</State>
      <div class="muted">
        Start a worker with <code>RUNHOOK_POOLS={pool}</code>.
      </div>
    </>
  );
}

function Pollers({ pollers }: ShownQueue) {
  return <span title={pollers.map(({ identity }) => identity).join('\n')}>{pollers.length}</span>;
}
