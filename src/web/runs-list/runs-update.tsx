import type { ListedRun } from '#src/domain/runs/run.js';
import { LIVE_PART } from '#src/web/components/live/live-part.js';
import { RunTable } from './run-table.js';

/** More new runs are not counted one by one. */
export const NEW_RUNS_MAX = 100;

export interface NewRunsProps {
  count: number;
  /** The list's first page. */
  path: string;
  isPart?: boolean;
}

/** Runs since the page was rendered: a link, so that rows do not move while they are read. */
export function NewRuns({ count, path, isPart }: NewRunsProps) {
  const text = count >= NEW_RUNS_MAX ? `${NEW_RUNS_MAX} new runs or more` : `${count} new run${count === 1 ? '' : 's'}`;
  return (
    <p id="new-runs" role="status" {...(isPart ? LIVE_PART : {})}>
      {count > 0 ? (
        <a class="btn btn-sm btn-primary" href={path}>
          Show {text}
        </a>
      ) : null}
    </p>
  );
}

interface RunsUpdateProps {
  /** Those on the page that have changed. */
  rows: readonly ListedRun[];
  newRuns?: NewRunsProps | undefined;
  now: Date;
}

/** What has changed on a page of runs, as a live message. */
export function RunsUpdate({ rows, newRuns, now }: RunsUpdateProps) {
  return (
    <>
      {newRuns ? <NewRuns {...newRuns} isPart /> : null}
      {rows.length > 0 ? <RunTable runs={rows} now={now} isPart /> : null}
    </>
  );
}
