import type { Run } from '#src/domain/runs/run.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

interface ReportPageProps {
  page: SignedInPage;
  project: ProjectContext;
  run: Pick<Run, '_id' | 'targetName'>;
  /** Of the file. */
  name: string;
  attempt: number;
  /** Where the report itself is. */
  src: string;
}

/** GET /runs/{runId}/report/{artifactId} */
export function ReportPage({ page, project, run, name, attempt, src }: ReportPageProps) {
  return (
    <ProjectLayout
      page={page}
      project={project}
      section="runs"
      title={`${name} of ${run.targetName}`}
      assets={['runs.css']}
    >
      <nav aria-label="Run">
        <a href={`/runs/${run._id}`}>← Run of {run.targetName}</a>
      </nav>
      <h1>Report {name}</h1>
      <p class="muted">
        Of attempt {attempt}. It is shown in isolation, without access to Runhook. The link expires after one hour.{' '}
        <a href={src} target="_blank" rel="noopener noreferrer">
          Open in a new tab
        </a>
      </p>
      <iframe
        class="report"
        src={src}
        title={`Report ${name}`}
        sandbox="allow-scripts allow-popups allow-forms allow-modals allow-downloads"
      />
    </ProjectLayout>
  );
}
