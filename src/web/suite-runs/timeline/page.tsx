import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { PageContext, ProjectContext } from '#src/web/layout/page-context.js';
import { askedFor, Timeline, type TimelineProps } from './timeline.js';

/** Where the time line comes to on the page of the run; without scripts, a link to it. */
export function TimelinePlace({ runId }: { runId: string }) {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <div id="timeline-chart" {...askedFor(runId, 'load')}>
        <a href={`/runs/${runId}/timeline`}>Show timeline</a>
      </div>
    </section>
  );
}

interface TimelinePageProps extends TimelineProps {
  page: PageContext;
  project: ProjectContext;
  name: string;
}

/** GET /runs/{id}/timeline without scripts */
export function TimelinePage({ page, project, name, ...timeline }: TimelinePageProps) {
  return (
    <ProjectLayout
      page={page}
      project={project}
      section="runs"
      title={`Timeline of ${name}`}
      assets={['run-lists.css']}
    >
      <h1>Timeline of {name}</h1>
      <p>
        <a href={`/runs/${timeline.run._id}`}>← Suite run</a>
      </p>
      <Timeline {...timeline} />
    </ProjectLayout>
  );
}
