import type { ListedRun } from '../../../domain/run.js';
import { Moment } from '../../components/moment.js';
import { Elapsed } from '../../components/elapsed.js';
import { TRIGGERS } from '../../components/run-facts.js';
import { Status } from '../../components/status.js';
import { LIVE_PART } from '../../components/live/live-part.js';

export interface RunRowsProps {
  runs: readonly ListedRun[];
  now: Date;
  isPart?: boolean;
}

/** Runs, a row each. */
export function RunRows({ runs, now, isPart }: RunRowsProps) {
  return (
    <>
      {runs.map((run) => (
        <tr key={run._id} id={`run-${run._id}`} {...(isPart ? LIVE_PART : {})}>
          <th scope="row">
            <a href={`/runs/${run._id}`}>{run.targetName}</a>{' '}
            <span class="muted">{run.kind === 'test' && run.suiteRunId ? 'test, in a suite' : run.kind}</span>
          </th>
          <td>
            <Status status={run.status} />
          </td>
          <td data-label="Started by">
            {[TRIGGERS[run.triggeredBy.type], run.triggeredBy.name].filter(Boolean).join(', ')}
          </td>
          <td data-label="Queued">
            <Moment at={run.queuedAt} />
          </td>
          <td data-label="Duration">
            {run.startedAt ? <Elapsed from={run.startedAt} to={run.endedAt} now={now} /> : '–'}
          </td>
        </tr>
      ))}
    </>
  );
}

/** The table that they stand in. */
export function RunTable(props: RunRowsProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Status</th>
          <th scope="col">Started by</th>
          <th scope="col">Queued</th>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        <RunRows {...props} />
      </tbody>
    </table>
  );
}
