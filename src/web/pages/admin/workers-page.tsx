import { Empty } from '../../components/empty.js';
import { State } from '../../components/state.js';
import { formatCount } from '../../format.js';
import { AdminLayout, type AdminProps } from './admin-layout.js';
import { WorkerTable, type ShownWorker } from './worker-table.js';

/** What Temporal knows of a task queue. */
export interface ShownQueue {
  pollers: readonly { identity: string; lastSeenAt?: Date }[];
  backlog: number;
}

export interface ShownPool {
  pool: string;
  runners: number;
  slots: number;
  queued: number;
  queue?: ShownQueue | undefined;
}

export interface WorkersPageProps extends AdminProps {
  pools: readonly ShownPool[];
  workers: readonly ShownWorker[];
  workflowQueue?: ShownQueue | undefined;
}

/** Admin, Workers: pools with what waits in them, and the workers that serve them. */
export function WorkersPage({ page, pools, workers, workflowQueue }: WorkersPageProps) {
  const hasWorkflows = workers.some(({ isLive, workflows }) => isLive && workflows);
  return (
    <AdminLayout page={page} tab="workers">
      <p>A worker says every ten seconds that it is there. After 35 silent seconds it counts as gone.</p>
      {workers.length > 0 && !hasWorkflows ? (
        <p class="notice bad">
          No live worker runs workflows, so nothing starts. Start one with <code>RUNHOOK_WORKFLOWS=true</code>, or
          without that variable.
        </p>
      ) : null}
      <h2>Pools</h2>
      {pools.length === 0 ? (
        <Empty title="No worker yet">
          <p>
            Runs are accepted and wait. Start a worker with <code>RUNHOOK_POOLS=default</code>; what waits then begins
            by itself.
          </p>
        </Empty>
      ) : (
        <PoolTable pools={pools} />
      )}
      {workflowQueue ? (
        <p class="muted">
          Workflows’ own queue in Temporal: {formatCount(workflowQueue.pollers.length, 'poller')},{' '}
          {formatCount(workflowQueue.backlog, 'task')} waiting.
        </p>
      ) : (
        <p class="notice">Temporal does not answer, so its pollers are not shown. The rest comes from MongoDB.</p>
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
    <table>
      <thead>
        <tr>
          <th scope="col">Pool</th>
          <th scope="col">State</th>
          <th scope="col">Workers</th>
          <th scope="col">Slots</th>
          <th scope="col">Queued tests</th>
          <th scope="col">Pollers in Temporal</th>
        </tr>
      </thead>
      <tbody>
        {pools.map(({ pool, runners, slots, queued, queue }) => (
          <tr key={pool}>
            <th scope="row">
              <code>{pool}</code>
            </th>
            <td data-label="State">
              {runners > 0 ? (
                <State level="good">served</State>
              ) : (
                <>
                  <State level={queued > 0 ? 'bad' : 'warn'}>no runner in pool {pool}</State>
                  <div class="muted">
                    Start a worker with <code>RUNHOOK_POOLS={pool}</code>.
                  </div>
                </>
              )}
            </td>
            <td data-label="Workers">{runners}</td>
            <td data-label="Slots">{slots}</td>
            <td data-label="Queued tests">{queued.toLocaleString('en')}</td>
            <td data-label="Pollers in Temporal">
              {queue ? (
                <span title={queue.pollers.map(({ identity }) => identity).join('\n')}>{queue.pollers.length}</span>
              ) : (
                'not known'
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
