import type { Page } from '../../../domain/page.js';
import { Empty } from '../../components/empty.js';
import { Moment } from '../../components/moment.js';
import { Paging } from '../../components/paging.js';
import { formatCount } from '../../format.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';
import { Welcome, type WelcomeProps } from './welcome.js';

/** How a project does: see the statistics. */
export interface ProjectHealth {
  tests: number;
  suites: number;
  failing: number;
  openRuns: number;
  lastRunAt?: Date;
}

export interface ListedProject {
  id: string;
  name: string;
  /** What the viewer is in it. */
  role: string;
  health: ProjectHealth;
}

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

function ProjectTable({ items }: { items: readonly ListedProject[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Project</th>
          <th scope="col">Health</th>
          <th scope="col">Holds</th>
          <th scope="col">Under way</th>
          <th scope="col">Last run</th>
          <th scope="col">You are</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, name, role, health }) => (
          <tr key={id}>
            <th scope="row">
              <a href={`/projects/${id}/tests`}>{name}</a>
            </th>
            <td>
              <Health id={id} {...health} />
            </td>
            <td data-label="Holds">
              {formatCount(health.tests, 'test')}, {formatCount(health.suites, 'suite')}
            </td>
            <td data-label="Under way">
              {health.openRuns > 0 ? (
                <a href={`/projects/${id}/runs`}>{formatCount(health.openRuns, 'run')}</a>
              ) : (
                'nothing'
              )}
            </td>
            <td data-label="Last run">{health.lastRunAt ? <Moment at={health.lastRunAt} /> : '–'}</td>
            <td data-label="You are">{role}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Health({ id, failing, lastRunAt }: ProjectHealth & { id: string }) {
  if (!lastRunAt) return <span class="status">no run yet</span>;
  if (failing === 0) return <span class="status passed">nothing failing</span>;
  return (
    <a class="plain" href={`/projects/${id}/tests?verdict=bad`}>
      <span class="status failed">{failing.toLocaleString('en')} failing</span>
    </a>
  );
}
