import type { SuiteRun } from '../../../domain/run.js';
import { LIVE_PART } from '../../components/live/live-part.js';
import { RunError } from '../../components/run-error.js';
import { RunFacts } from '../../components/run-facts.js';
import { statusLabel } from '../../components/status.js';
import { TemporalLink } from '../../components/temporal-link.js';
import { Waiting } from '../../components/waiting.js';

export interface SuiteStateProps {
  run: SuiteRun;
  projectName: string;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: Date;
  isPart?: boolean;
}

/** What a suite run waits for, why it ended so, where it comes from and when what happened. */
export function SuiteState({ run, projectName, temporalUrl, now, isPart }: SuiteStateProps) {
  return (
    <div id="run-state" {...(isPart ? LIVE_PART : {})}>
      <p class="visually-hidden" role="status">
        The run is {statusLabel(run.status)}.
      </p>
      <Waiting run={run} now={now} />
      {run.status === 'skipped' && run.reason ? <p class="notice">{run.reason}.</p> : null}
      {run.errorCode ? <RunError code={run.errorCode} message={run.errorMessage} /> : null}
      <RunFacts run={run} projectName={projectName} now={now} />
      <TemporalLink run={run} href={temporalUrl} />
    </div>
  );
}
