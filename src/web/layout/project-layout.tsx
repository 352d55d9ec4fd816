import type { ComponentChildren } from 'preact';
import type { AssetName } from '#src/web/http/asset-files.js';
import { Tabs } from '#src/web/components/tabs.js';
import { Layout } from './layout.js';
import type { PageContext, ProjectContext } from './page-context.js';

type ProjectSection = 'tests' | 'suites' | 'schedules' | 'runs' | 'insights' | 'integrations' | 'settings';

interface ProjectLayoutProps {
  page: PageContext;
  project: ProjectContext;
  section: ProjectSection;
  /** Of the window; the page has its own <h1>. */
  title: string;
  assets?: readonly AssetName[];
  children: ComponentChildren;
}

const SECTIONS: Record<ProjectSection, string> = {
  tests: 'Tests',
  suites: 'Suites',
  schedules: 'Schedules',
  runs: 'Runs',
  insights: 'Insights',
  integrations: 'Integrations',
  settings: 'Settings',
};

/** A page of a project, below the tabs of its sections. */
export function ProjectLayout({ page, project, section, title, assets, children }: ProjectLayoutProps) {
  const tabs = Object.entries(project.isRemoved ? { runs: SECTIONS.runs } : SECTIONS).map(([name, label]) => ({
    label,
    href: `/projects/${project.id}/${name}`,
    isCurrent: name === section,
  }));
  return (
    <Layout page={page} title={`${title} · ${project.name}`} assets={assets}>
      {page.isDialog ? null : (
        <>
          <p class="crumbs">
            <a href="/">Projects</a> /{' '}
            {project.isRemoved ? project.name : <a href={`/projects/${project.id}`}>{project.name}</a>}
          </p>
          {project.isRemoved ? (
            <p class="alert alert-warning">
              This project was removed, and its open runs are being stopped. Only admins can see its runs, until their
              retention ends.
            </p>
          ) : null}
          <Tabs label="Project" tabs={tabs} />
        </>
      )}
      {children}
    </Layout>
  );
}
