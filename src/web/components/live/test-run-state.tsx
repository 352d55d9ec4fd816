import type { RunStep } from '#src/domain/runs/run-step.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { Artifacts, type ShownArtifact } from '#src/web/components/run/artifacts.js';
import { Attempts } from '#src/web/components/run/attempts.js';
import { Cases, type ShownCases } from '#src/web/components/run/cases.js';
import { Failure } from '#src/web/components/run/failure.js';
import { RunFacts } from '#src/web/components/run/run-facts.js';
import { RunTitle, runPageTitle } from '#src/web/components/run/run-title.js';
import { Steps } from '#src/web/components/run/steps.js';
import { TemporalLink } from '#src/web/components/run/temporal-link.js';
import { LIVE_PART } from './live-part.js';
import { RunState } from './run-state.js';

/** What a run has left so far. */
export interface TestRunOutcome {
  /** Of one attempt: of the last, or of one that was asked for. */
  steps: readonly RunStep[];
  cases?: ShownCases | undefined;
  artifacts: readonly ShownArtifact[];
}

interface TestRunStateProps extends TestRunOutcome {
  run: TestRun;
  projectName: string;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: Date;
  isPart?: boolean;
}

/** How a test run stands and what it has left, which changes while it runs. Its title and its log are not in it. */
export function TestRunState({ run, steps, cases, artifacts, now, isPart }: TestRunStateProps) {
  const last = run.attempts.at(-1);
  const shown = steps[0]?.attempt;
  return (
    <RunState run={run} now={now} isPart={isPart}>
      <Failure run={run} steps={shown === last?.number ? steps : []} artifacts={artifacts} />
      <Notes of={last?.verdict?.notes} />
      <Steps steps={steps} artifacts={artifacts} attempt={run.attempts.length > 1 ? shown : undefined} />
      <Cases cases={cases} />
      <Artifacts artifacts={artifacts} />
    </RunState>
  );
}

/** What a person should know beside the verdict. */
function Notes({ of: notes = [] }: { of: readonly string[] | undefined }) {
  if (notes.length === 0) return null;
  return (
    <div class="notice">
      {notes.map((note) => (
        <p class="text">{note}</p>
      ))}
    </div>
  );
}

/** Where a test run comes from, its attempts, and when what happened. */
export function TestRunFacts({ run, projectName, temporalUrl, now, isPart }: TestRunStateProps) {
  return (
    <div id="run-facts" {...(isPart ? LIVE_PART : {})}>
      <h2>About this run</h2>
      <RunFacts run={run} projectName={projectName} now={now} />
      <TemporalLink run={run} href={temporalUrl} />
      <Attempts run={run} now={now} />
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
      <TestRunFacts {...props} isPart />
    </>
  );
}
