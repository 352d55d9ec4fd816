import type { Page } from '../../../domain/page.js';
import type { ListedRun } from '../../../domain/run.js';
import { Empty } from '../../components/empty.js';
import { LiveStream } from '../../components/live/live-stream.js';
import { Paging } from '../../components/paging.js';
import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext } from '../../layout/viewer.js';
import { FilterForm, runsPath, type RunsFilter } from './filter.js';
import { NewRuns } from './runs-update.js';
import { RunTable } from './run-rows.js';

export interface RunsPageProps {
  page: PageContext;
  project: ProjectContext;
  runs: Page<ListedRun>;
  filter: RunsFilter;
  /** Of the filter's target. */
  targetName?: string | undefined;
  /** Where it hears what changes; undefined: nothing on it will. */
  events?: string | undefined;
  now: Date;
}

/** GET /projects/{id}/runs */
export function RunsPage({ page, project, runs, filter, targetName, events, now }: RunsPageProps) {
  const path = runsPath(project.id, filter);
  return (
    <ProjectLayout page={page} project={project} section="runs" title="Runs" assets={['run-lists.css']}>
      <h1>Runs</h1>
      <FilterForm projectId={project.id} filter={filter} targetName={targetName} />
      {events ? <LiveStream src={events} /> : null}
      <NewRuns count={0} path={path} />
      {runs.items.length > 0 ? (
        <>
          <RunTable runs={runs.items} now={now} />
          <Paging page={runs} path={path} noun="run" />
        </>
      ) : (
        <NoRuns projectId={project.id} isFiltered={path.includes('?')} />
      )}
    </ProjectLayout>
  );
}

function NoRuns({ projectId, isFiltered }: { projectId: string; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No run is like that">
        <p>
          Choose other filters, or <a href={`/projects/${projectId}/runs`}>show all runs</a>.
        </p>
      </Empty>
    );
  return (
    <Empty title="No runs yet">
      <p>
        Start one of the project’s <a href={`/projects/${projectId}/tests`}>tests</a> or{' '}
        <a href={`/projects/${projectId}/suites`}>suites</a>, here or by its{' '}
        <a href={`/projects/${projectId}/integrations`}>webhook URL</a>. It then stands here, the newest on top.
      </p>
    </Empty>
  );
}
