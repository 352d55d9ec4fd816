import { isTerminal } from '#src/domain/runs/run-status.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { LogView, type LogViewProps } from '#src/web/components/live/log-view.js';
import { TestRunFacts, TestRunState, type TestRunOutcome } from '#src/web/components/live/test-run-state.js';
import { DefinitionFacts } from '#src/web/components/run/run-facts.js';
import { RunHead } from '#src/web/components/run/run-head.js';
import { runPageTitle } from '#src/web/components/run/run-title.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

export interface TestRunPageProps extends TestRunOutcome {
  page: SignedInPage;
  project: ProjectContext;
  run: TestRun;
  /** Of a suite's test run. */
  suiteName?: string | undefined;
  log: Pick<LogViewProps, 'lines' | 'hasEarlier' | 'hasLater'>;
  /** The attempt that the page's address asks for. */
  attempt?: number | undefined;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: Date;
}

/** GET /runs/{id} of a test run. */
export function TestRunPage(props: TestRunPageProps) {
  const { page, project, run, log, attempt } = props;
  const state = { ...props, projectName: project.name };
  const query = attempt === undefined ? '' : `?attempt=${attempt}`;
  return (
    <ProjectLayout
      page={page}
      project={project}
      section="runs"
      title={runPageTitle(run)}
      assets={['run-lists.css', 'runs.css', 'live.js', 'log.js']}
    >
      <SuiteLink {...props} />
      <RunHead run={run} project={project} viewer={page.viewer} events={`/runs/${run._id}/events${query}`} />
      <TestRunState {...state} />
      <LogView runId={run._id} isOver={isTerminal(run.status)} {...log} />
      <TestRunFacts {...state} />
      <DefinitionFacts run={run} />
    </ProjectLayout>
  );
}

/** From a suite's test back to the suite. */
function SuiteLink({ run, suiteName }: TestRunPageProps) {
  if (!run.suiteRunId) return null;
  return (
    <nav aria-label="Suite">
      <a href={`/runs/${run.suiteRunId}`}>← {suiteName ? `Suite run: ${suiteName}` : 'Suite run'}</a>
    </nav>
  );
}
