import type { RunStatus } from '../../../domain/run-status.js';
import { Empty } from '../../components/empty.js';
import { Moment } from '../../components/moment.js';
import { Status } from '../../components/status.js';
import { formatDuration } from '../../format.js';
import type { TargetKind } from './menu-items.js';

export interface LatestRun {
  id: string;
  status: RunStatus;
  queuedAt: Date;
  startedAt?: Date | undefined;
  endedAt?: Date | undefined;
}

export interface LatestRunsProps {
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
      <Empty title="Not run yet">
        <p>
          {isArchived
            ? 'Its runs, if there were any, are past their retention.'
            : `Press “Run”, or start the ${kind} from outside with its webhook URL: see “Run via CLI or webhook” in the menu.`}
        </p>
      </Empty>
    );
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Status</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ id, status, queuedAt, startedAt, endedAt }) => (
            <tr key={id} id={`run-${id}`}>
              <th scope="row">
                <a href={`/runs/${id}`}>
                  <Moment at={queuedAt} />
                </a>
              </th>
              <td>
                <Status status={status} />
              </td>
              <td data-label="Duration">{startedAt ? formatDuration(startedAt, endedAt ?? now) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href={`/projects/${projectId}/runs?targetId=${targetId}`}>All its runs</a>
      </p>
    </>
  );
}
