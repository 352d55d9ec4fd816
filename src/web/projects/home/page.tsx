import type { Page } from '#src/domain/page.js';
import { Empty } from '#src/web/components/empty-state.js';
import { NameSearch } from '#src/web/components/name-search.js';
import { Paging } from '#src/web/components/paging.js';
import { Layout } from '#src/web/layout/layout.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { ProjectTable, type ListedProject } from './project-table.js';
import { Welcome, type WelcomeProps } from './welcome.js';

export interface HomePageProps {
  page: SignedInPage;
  projects: Page<ListedProject>;
  search?: string | undefined;
  mayCreate: boolean;
  /** Until there is a first run. */
  welcome?: Omit<WelcomeProps, 'mayCreate' | 'isAdmin'> | undefined;
}

/** GET / */
export function HomePage({ page, projects, search, mayCreate, welcome }: HomePageProps) {
  return (
    <Layout title="Projects" page={page} assets={['targets.css']}>
      <div class="title-row">
        <h1>Projects</h1>
        {mayCreate ? (
          <>
            <a class="btn btn-outline-secondary" href="/projects/import">
              Import a project file
            </a>
            <a class="btn btn-primary" href="/projects/new">
              New project
            </a>
          </>
        ) : null}
      </div>
      {welcome ? <Welcome {...welcome} mayCreate={mayCreate} isAdmin={page.viewer.isAdmin} /> : null}
      <ProjectList projects={projects} search={search} isAdmin={page.viewer.isAdmin} />
    </Layout>
  );
}

function ProjectList({ projects, search, isAdmin }: Pick<HomePageProps, 'projects' | 'search'> & { isAdmin: boolean }) {
  if (projects.count === 0 && search === undefined) return null;
  return (
    <>
      {isAdmin ? <p class="muted">As an admin, you see all projects.</p> : null}
      <form method="get" action="/" role="search" class="filters" aria-label="Find projects">
        <NameSearch value={search} />
        <button type="submit" class="btn btn-outline-secondary">
          Find
        </button>
      </form>
      {projects.items.length > 0 ? (
        <ProjectTable items={projects.items} />
      ) : (
        <Empty title="No matching projects">
          <p>
            <a href="/">Show all projects</a>
          </p>
        </Empty>
      )}
      <Paging
        page={projects}
        path={search === undefined ? '/' : `/?search=${encodeURIComponent(search)}`}
        noun="project"
      />
    </>
  );
}
