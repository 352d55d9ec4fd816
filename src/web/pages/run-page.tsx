import type { LogLine } from '../../domain/log-line.js';
import { isTerminal, statusCounts, type StatusCounts } from '../../domain/run-status.js';
import type { Run } from '../../domain/run.js';
import { Layout } from '../layout/layout.js';
import type { PageContext } from '../layout/viewer.js';
import { Attempts } from '../components/attempts.js';
import { Refreshing } from '../components/refreshing.js';
import { RunError } from '../components/run-error.js';
import { DefinitionFacts, RunFacts } from '../components/run-facts.js';
import { RunLog } from '../components/run-log.js';
import { statusLabel, Status } from '../components/status.js';
import { SuiteTests, type SuiteTestRun } from '../components/suite-tests.js';
import { Waiting } from '../components/waiting.js';

const REFRESH_SECONDS = 2;

export interface RunPageProps {
  run: Run;
  projectName: string;
  log: LogLine[];
  logIsLonger: boolean;
  testRuns: SuiteTestRun[];
  counts?: StatusCounts | undefined;
  suiteName?: string | undefined;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: Date;
  /** The reader has stopped the page from loading again by itself. */
  isPaused: boolean;
  page?: PageContext | undefined;
}

/** GET /runs/{id} */
export function RunPage(props: RunPageProps) {
  const { run, now, isPaused } = props;
  const isOver = isTerminal(run.status);
  return (
    <Layout
      title={`${run.targetName} ${statusLabel(run.status)}`}
      page={props.page}
      refreshSeconds={isOver || isPaused ? undefined : REFRESH_SECONDS}
    >
      <SuiteLink {...props} />
      <h1>
        {run.targetName} <Status status={run.status} />
      </h1>
      <p class="muted">{run.kind === 'test' ? 'Test run' : 'Suite run'}</p>
      {isOver ? null : <Refreshing path={`/runs/${run._id}`} seconds={REFRESH_SECONDS} isPaused={isPaused} />}
      <Waiting run={run} now={now} />
      {run.status === 'skipped' && run.reason ? <p class="notice">{run.reason}.</p> : null}
      {run.errorCode ? <RunError code={run.errorCode} message={run.errorMessage} /> : null}
      <RunFacts run={run} projectName={props.projectName} now={now} />
      <TemporalLink {...props} />
      {run.kind === 'suite' ? (
        <SuiteTests testRuns={props.testRuns} counts={props.counts ?? statusCounts()} now={now} />
      ) : (
        <>
          <Attempts attempts={run.attempts} now={now} />
          <RunLog lines={props.log} isLonger={props.logIsLonger} isOver={isOver} />
        </>
      )}
      <DefinitionFacts run={run} />
    </Layout>
  );
}

/** From a suite's test back to the suite. */
function SuiteLink({ run, suiteName }: RunPageProps) {
  if (run.kind !== 'test' || !run.suiteRunId) return null;
  return (
    <nav aria-label="Suite">
      <a href={`/runs/${run.suiteRunId}`}>← {suiteName ? `Suite run: ${suiteName}` : 'Suite run'}</a>
    </nav>
  );
}

function TemporalLink({ run, temporalUrl }: RunPageProps) {
  if (!temporalUrl || !hasWorkflow(run)) return null;
  return (
    <p>
      <a href={temporalUrl}>Open in the Temporal UI</a>
    </p>
  );
}

/** Not before its start, and never for what ended without one. */
function hasWorkflow(run: Run): boolean {
  if (run.dispatch || run.status === 'skipped' || run.errorCode === 'NOT_STARTED') return false;
  return !(run.kind === 'test' && run.suiteRunId && run.status === 'queued');
}
