import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Run } from '#src/domain/runs/run.js';
import { LIVE_PART } from '#src/web/components/live/live-part.js';
import { Status, statusLabel } from '#src/web/components/status.js';

/** The heading of a run's page. `data-over` is what the buttons behind it go by (runs.css). @param isPart sent to open pages */
export function RunTitle({ run, isPart }: { run: Pick<Run, 'targetName' | 'status'>; isPart?: boolean }) {
  return (
    <h1 id="run-title" data-over={isTerminal(run.status)} {...(isPart ? LIVE_PART : {})}>
      {run.targetName} <Status status={run.status} />
    </h1>
  );
}

/** Of the window. */
export function runPageTitle({ targetName, status }: Pick<Run, 'targetName' | 'status'>): string {
  return `${targetName} ${statusLabel(status)}`;
}
