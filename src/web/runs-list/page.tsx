import type { Page } from '#src/domain/page.js';
import type { ListedRun } from '#src/domain/runs/run.js';
import { Empty } from '#src/web/components/empty-state.js';
import { LiveStream } from '#src/web/components/live/live-stream.js';
import { Paging } from '#src/web/components/paging.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { PageContext, ProjectContext } from '#src/web/layout/page-context.js';
import { FilterForm, runsPath, type RunsFilter } from './filter.js';
import { NewRuns } from './runs-update.js';
import { RunTable } from './run-table.js';

interface RunsPageProps {
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
      <Empty title="No matching runs">
        <p>
          Change the filters, or <a href={`/projects/${projectId}/runs`}>show all runs</a>.
        </p>
      </Empty>
    );
  return (
    <Empty title="No runs yet" help="runs">
      <p>
        Start one of the project’s <a href={`/projects/${projectId}/tests`}>tests</a> or{' '}
        <a href={`/projects/${projectId}/suites`}>suites</a>, here or by its{' '}
        <a href={`/projects/${projectId}/integrations`}>webhook URL</a>. Runs appear here, newest first.
      </p>
    </Empty>
  );
}
