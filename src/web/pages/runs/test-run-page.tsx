import { isTerminal } from '../../../domain/run-status.js';
import type { TestRun } from '../../../domain/run.js';
import { LiveStream } from '../../components/live/live-stream.js';
import { LogView, type LogViewProps } from '../../components/live/log-view.js';
import { TestRunFacts, TestRunState, type TestRunOutcome } from '../../components/live/test-run-state.js';
import { RunActions } from '../../components/run-actions.js';
import { DefinitionFacts } from '../../components/run-facts.js';
import { RunTitle, runPageTitle } from '../../components/run-title.js';
import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';

export interface TestRunPageProps extends TestRunOutcome {
  page: PageContext & { viewer: Viewer };
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
  const isOver = isTerminal(run.status);
  return (
    <ProjectLayout
      page={page}
      project={project}
      section="runs"
      title={runPageTitle(run)}
      assets={['run-lists.css', 'runs.css', 'live.js', 'log.js']}
    >
      <SuiteLink {...props} />
      <div class="title-row">
        <RunTitle run={run} />
        <RunActions run={run} project={project} viewer={page.viewer} />
      </div>
      <p class="muted">
        Test run of <a href={`/tests/${run.targetId}`}>{run.targetName}</a>
      </p>
      {isOver ? null : (
        <Following path={`/runs/${run._id}`} query={attempt === undefined ? '' : `?attempt=${attempt}`} />
      )}
      <TestRunState {...state} />
      <LogView runId={run._id} isOver={isOver} {...log} />
      <TestRunFacts {...state} />
      <DefinitionFacts run={run} />
    </ProjectLayout>
  );
}

/** With scripts the page follows the run; without, the reader updates it. */
function Following({ path, query }: { path: string; query: string }) {
  return (
    <>
      <LiveStream src={`${path}/events${query}`} />
      <noscript>
        <p class="notice">
          The run is not over. <a href={path}>Update this page</a>
        </p>
      </noscript>
    </>
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
