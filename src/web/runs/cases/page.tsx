import { casesPath, CaseCounts, CaseTable, type ShownCases } from '#src/web/components/run/cases.js';
import { Empty } from '#src/web/components/empty-state.js';
import { Paging } from '#src/web/components/paging.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

interface CasesPageProps {
  page: SignedInPage;
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
      {page.items.length > 0 ? <CaseTable cases={page.items} /> : <p>Case not found.</p>}
      <Paging page={page} path={casesPath(runId, { ...of, status })} noun="case" />
    </>
  );
}

function NoCases() {
  return (
    <Empty title="No cases" help="junitResults">
      <p>
        If the command of a test writes JUnit files, set their path with <code>results</code> to list the cases here.
      </p>
    </Empty>
  );
}
