import type { WorkerRecord } from '../../../domain/records.js';
import { Moment } from '../../components/moment.js';
import { State } from '../../components/state.js';
import { formatDuration } from '../../format.js';

export type ShownWorker = WorkerRecord & { isLive: boolean; agoMs: number };

/** Worker processes, each with what it says of itself. */
export function WorkerTable({ workers }: { workers: readonly ShownWorker[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Host and process</th>
          <th scope="col">State</th>
          <th scope="col">Pools</th>
          <th scope="col">Slots</th>
          <th scope="col">Build</th>
          <th scope="col">Started</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <tr key={worker._id}>
            <th scope="row">
              {worker.host}
              <div class="muted">process {worker.pid}</div>
            </th>
            <td data-label="State">
              <WorkerState worker={worker} />
            </td>
            <td data-label="Pools">
              {worker.pools.join(', ') || 'none'}
              {worker.workflows ? <span class="muted"> and workflows</span> : null}
            </td>
            <td data-label="Slots">
              {worker.slots}
              {worker.limits ? <div class="muted">limits: {worker.limits}</div> : null}
            </td>
            <td data-label="Build">{worker.buildId ?? '–'}</td>
            <td data-label="Started">
              <Moment at={worker.startedAt} />
            </td>
            <td data-label="Last seen" class="nowrap">
              {formatDuration(new Date(0), new Date(Math.round(worker.agoMs / 1000) * 1000))} ago
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function WorkerState({ worker: { isLive, stoppedAt } }: { worker: ShownWorker }) {
  if (isLive) return <State level="good">live</State>;
  return stoppedAt ? <State level="still">stopped in order</State> : <State level="bad">gone without a word</State>;
}
