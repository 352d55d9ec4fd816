import type { ComponentChildren } from 'preact';
import type { Run } from '#src/domain/runs/run.js';
import { RunError } from '#src/web/components/run/run-error.js';
import { statusLabel } from '#src/web/components/status.js';
import { Waiting } from '#src/web/components/run/waiting.js';
import { LIVE_PART } from './live-part.js';

interface RunStateProps {
  run: Run;
  now: Date;
  /** Sent to a page that is open. */
  isPart?: boolean | undefined;
  children: ComponentChildren;
}

/** How a run stands, for the ear too, and below it what else changes while it runs. */
export function RunState({ run, now, isPart, children }: RunStateProps) {
  return (
    <div id="run-state" {...(isPart ? LIVE_PART : {})}>
      <p class="visually-hidden" role="status">
        The run is {statusLabel(run.status)}.
      </p>
      <Waiting run={run} now={now} />
      {run.status === 'skipped' && run.reason ? <p class="notice">{run.reason}.</p> : null}
      {run.errorCode ? <RunError code={run.errorCode} message={run.errorMessage} /> : null}
      {children}
    </div>
  );
}
