import { isTerminal } from '../../../domain/run-status.js';
import type { Page } from '../../../domain/page.js';
import type { CountedSuiteRun, ListedTest } from '../../../domain/run.js';
import { DefinitionFacts } from '../../components/run-facts.js';
import { TemporalLink } from '../../components/temporal-link.js';
import { LiveStream } from '../../components/live/live-stream.js';
import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext } from '../../layout/viewer.js';
import { Actions } from './actions.js';
import { SuiteFacts, SuiteStatus } from './head.js';
import { suiteEvents } from './live-rows.js';
import { Progress } from './progress.js';
import { Tests, type TestsFilter } from './tests.js';
import { TimelinePlace } from './timeline-page.js';

export interface SuiteRunPageProps {
  page: PageContext;
  project: ProjectContext;
  run: CountedSuiteRun;
  tests: Page<ListedTest>;
  filter: TestsFilter;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
  /** How long earlier runs of the suite took, in ms. */
  usualMs?: number | undefined;
  now: Date;
}

/** GET /runs/{id} of a suite run */
export function SuiteRunPage({ page, project, run, tests, filter, temporalUrl, usualMs, now }: SuiteRunPageProps) {
  const isEmpty = Object.values(run.counts).every((count) => count === 0);
  return (
    <ProjectLayout page={page} project={project} section="runs" title={run.targetName} assets={['run-lists.css']}>
      <div class="title-row">
        <h1>
          {run.targetName} <SuiteStatus run={run} />
        </h1>
        <Actions run={run} project={project} />
      </div>
      <p class="muted">Suite run</p>
      {isTerminal(run.status) ? null : <LiveStream src={suiteEvents(run._id, tests.items)} />}
      <Progress run={run} usualMs={usualMs} now={now} />
      <SuiteFacts run={run} projectName={project.name} now={now} />
      <TemporalLink run={run} url={temporalUrl} />
      <TimelinePlace runId={run._id} />
      <Tests runId={run._id} tests={tests} filter={filter} isEmpty={isEmpty} now={now} />
      <DefinitionFacts run={run} />
    </ProjectLayout>
  );
}
