import { isTerminal } from '../../../domain/run-status.js';
import type { SuiteRun } from '../../../domain/run.js';
import { RunError } from '../../components/run-error.js';
import { RunFacts } from '../../components/run-facts.js';
import { Status } from '../../components/status.js';
import { swapped } from '../../components/swapped.js';
import { Waiting } from '../../components/waiting.js';

/** The suite run's status beside its name. `data-over` tells the style sheet which of its buttons make sense. */
export function SuiteStatus({ run, isLive }: { run: SuiteRun; isLive?: boolean }) {
  return (
    <span id="suite-status" role="status" data-over={String(isTerminal(run.status))} {...swapped(isLive)}>
      <Status status={run.status} />
    </span>
  );
}

export interface SuiteFactsProps {
  run: SuiteRun;
  projectName: string;
  now: Date;
  isLive?: boolean;
}

/** What it waits for, why it ended so, where it comes from and when what happened. */
export function SuiteFacts({ run, projectName, now, isLive }: SuiteFactsProps) {
  return (
    <div id="suite-facts" {...swapped(isLive)}>
      <Waiting run={run} now={now} />
      {run.status === 'skipped' && run.reason ? <p class="notice">{run.reason}.</p> : null}
      {run.errorCode ? <RunError code={run.errorCode} message={run.errorMessage} /> : null}
      <RunFacts run={run} projectName={projectName} now={now} />
    </div>
  );
}
