import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext } from '../../layout/viewer.js';
import { askedFor, Timeline, type TimelineProps } from './timeline.js';

/** Where the time line comes to on the page of the run; without scripts, a link to it. */
export function TimelinePlace({ runId }: { runId: string }) {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Who ran when</h2>
      <div id="timeline-chart" {...askedFor(runId, 'load')}>
        <a href={`/runs/${runId}/timeline`}>Show the time line</a>
      </div>
    </section>
  );
}

export interface TimelinePageProps extends TimelineProps {
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
      title={`Time line of ${name}`}
      assets={['run-lists.css']}
    >
      <h1>Time line of {name}</h1>
      <p>
        <a href={`/runs/${timeline.run._id}`}>← Suite run</a>
      </p>
      <Timeline {...timeline} />
    </ProjectLayout>
  );
}
