import type { Page } from '#src/domain/page.js';
import type { ListedTest } from '#src/domain/runs/run.js';
import { DefinitionFacts } from '#src/web/components/run/run-facts.js';
import { RunHead } from '#src/web/components/run/run-head.js';
import { runPageTitle } from '#src/web/components/run/run-title.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';
import { suiteEvents } from './live-rows.js';
import { Progress, type ProgressProps } from './progress.js';
import { SuiteState } from './suite-state.js';
import { Tests, type TestsFilter } from './tests.js';
import { TimelinePlace } from '#src/web/suite-runs/timeline/page.js';

export interface SuiteRunPageProps extends Omit<ProgressProps, 'isPart'> {
  page: SignedInPage;
  project: ProjectContext;
  tests: Page<ListedTest>;
  filter: TestsFilter;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
}

/** GET /runs/{id} of a suite run */
export function SuiteRunPage({ page, project, run, tests, filter, temporalUrl, usualMs, now }: SuiteRunPageProps) {
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
      <RunHead
        run={run}
        project={project}
        viewer={page.viewer}
        events={suiteEvents(run._id, tests.items, isFiltered)}
      />
      <Progress run={run} usualMs={usualMs} now={now} />
      <SuiteState run={run} projectName={project.name} temporalUrl={temporalUrl} now={now} />
      <TimelinePlace runId={run._id} />
      <Tests runId={run._id} tests={tests} filter={filter} isEmpty={isEmpty} now={now} />
      <DefinitionFacts run={run} />
    </ProjectLayout>
  );
}
