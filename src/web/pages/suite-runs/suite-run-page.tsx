import type { Page } from '../../../domain/page.js';
import { isTerminal } from '../../../domain/run-status.js';
import type { ListedTest } from '../../../domain/run.js';
import { LiveStream } from '../../components/live/live-stream.js';
import { RunActions } from '../../components/run-actions.js';
import { DefinitionFacts } from '../../components/run-facts.js';
import { RunTitle, runPageTitle } from '../../components/run-title.js';
import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';
import { suiteEvents } from './live-rows.js';
import { Progress, type ProgressProps } from './progress.js';
import { SuiteState } from './suite-state.js';
import { Tests, type TestsFilter } from './tests.js';
import { TimelinePlace } from './timeline-page.js';

export interface SuiteRunPageProps extends Omit<ProgressProps, 'isPart'> {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  tests: Page<ListedTest>;
  filter: TestsFilter;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
}

/** GET /runs/{id} of a suite run */
export function SuiteRunPage({ page, project, run, tests, filter, temporalUrl, usualMs, now }: SuiteRunPageProps) {
  const path = `/runs/${run._id}`;
  const isFiltered = filter.statuses !== undefined || filter.search !== undefined;
  const isEmpty = Object.values(run.counts).every((count) => count === 0);
  return (
    <ProjectLayout
      page={page}
      project={project}
      section="runs"
      title={runPageTitle(run)}
      assets={['runs.css', 'run-lists.css', 'live.js']}
    >
      <div class="title-row">
        <RunTitle run={run} />
        <RunActions run={run} project={project} viewer={page.viewer} />
      </div>
      <p class="muted">
        Suite run of <a href={`/suites/${run.targetId}`}>{run.targetName}</a>
      </p>
      {isTerminal(run.status) ? null : <Following path={path} events={suiteEvents(run._id, tests.items, isFiltered)} />}
      <Progress run={run} usualMs={usualMs} now={now} />
      <SuiteState run={run} projectName={project.name} temporalUrl={temporalUrl} now={now} />
      <TimelinePlace runId={run._id} />
      <Tests runId={run._id} tests={tests} filter={filter} isEmpty={isEmpty} now={now} />
      <DefinitionFacts run={run} />
    </ProjectLayout>
  );
}

/** With scripts the page follows the run; without, the reader updates it. */
function Following({ path, events }: { path: string; events: string }) {
  return (
    <>
      <LiveStream src={events} />
      <noscript>
        <p class="notice">
          The run is not over. <a href={path}>Update this page</a>
        </p>
      </noscript>
    </>
  );
}
