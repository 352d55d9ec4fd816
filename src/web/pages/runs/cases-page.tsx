import { casesPath, CaseCounts, CaseTable, type ShownCases } from '../../components/cases.js';
import { Empty } from '../../components/empty.js';
import { Paging } from '../../components/paging.js';
import { ProjectLayout } from '../../layout/project-layout.js';
import type { PageContext, ProjectContext, Viewer } from '../../layout/viewer.js';

export interface CasesPageProps {
  page: PageContext & { viewer: Viewer };
  project: ProjectContext;
  runId: string;
  targetName: string;
  /** None: the run, or the attempt that was asked for, has no cases. */
  cases: ShownCases | undefined;
}

/** GET /runs/{id}/cases */
export function CasesPage({ page, project, runId, targetName, cases }: CasesPageProps) {
  return (
    <ProjectLayout
      page={page}
      project={project}
      section="runs"
      title={`Cases of ${targetName}`}
      assets={['run-lists.css', 'runs.css']}
    >
      <nav aria-label="Run">
        <a href={`/runs/${runId}`}>← The run</a>
      </nav>
      <h1>Cases of {targetName}</h1>
      {cases ? <List cases={cases} /> : <NoCases />}
    </ProjectLayout>
  );
}

function List({ cases }: { cases: ShownCases }) {
  const { runId, attempts, attempt, status, page } = cases;
  const of = attempts.length > 1 ? { attempt: attempt.number } : {};
  return (
    <>
      <CaseCounts {...cases} />
      {page.items.length > 0 ? <CaseTable cases={page.items} /> : <p>There is no such case.</p>}
      <Paging page={page} path={casesPath(runId, { ...of, status })} noun="case" />
    </>
  );
}

function NoCases() {
  return (
    <Empty title="No cases">
      <p>
        A test whose command leaves JUnit files says where with <code>results</code>; its cases are then listed here.
      </p>
    </Empty>
  );
}
