import type { TestRun } from '../../../domain/run.js';
import { Artifacts, type ShownArtifact } from '../artifacts.js';
import { Attempts } from '../attempts.js';
import { Cases, type ShownCases } from '../cases.js';
import { RunError } from '../run-error.js';
import { RunFacts } from '../run-facts.js';
import { RunTitle, runPageTitle } from '../run-title.js';
import { statusLabel } from '../status.js';
import { TemporalLink } from '../temporal-link.js';
import { Waiting } from '../waiting.js';
import { LIVE_PART } from './live-part.js';

export interface TestRunStateProps {
  run: TestRun;
  projectName: string;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: Date;
  artifacts: readonly ShownArtifact[];
  cases?: ShownCases | undefined;
  isPart?: boolean;
}

/** What changes while a test runs, but its title and its log. */
export function TestRunState({ run, projectName, temporalUrl, artifacts, cases, now, isPart }: TestRunStateProps) {
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
      <Attempts attempts={run.attempts} now={now} />
      <Cases cases={cases} />
      <Artifacts artifacts={artifacts} />
    </div>
  );
}

/** The parts of an open page that show the run: the window's title too. */
export function TestRunParts(props: TestRunStateProps) {
  return (
    <>
      <title>{`${runPageTitle(props.run)} · ${props.projectName} · Runhook`}</title>
      <RunTitle run={props.run} isPart />
      <TestRunState {...props} isPart />
    </>
  );
}
