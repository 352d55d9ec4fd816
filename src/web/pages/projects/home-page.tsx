import type { Page } from '../../../domain/page.js';
import { Empty } from '../../components/empty.js';
import { Paging } from '../../components/paging.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';
import { ProjectTable, type ListedProject } from './project-table.js';
import { Welcome, type WelcomeProps } from './welcome.js';

export interface HomePageProps {
  page: PageContext & { viewer: Viewer };
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
      {isAdmin ? <p class="muted">As an admin you see the projects of everybody.</p> : null}
      <form method="get" action="/" role="search" class="filters" aria-label="Find projects">
        <input
          class="form-control"
          type="search"
          name="search"
          value={search}
          placeholder="Part of the name"
          aria-label="Part of the name"
        />
        <button type="submit" class="btn btn-outline-secondary">
          Find
        </button>
      </form>
      {projects.items.length > 0 ? (
        <ProjectTable items={projects.items} />
      ) : (
        <Empty title="No project fits">
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
