import type { ComponentChildren } from 'preact';
import { Tabs } from '#src/web/components/tabs.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

interface IntegrationsLayoutProps {
  page: SignedInPage;
  project: ProjectContext;
  tab: 'webhooks' | 'ci';
  children: ComponentChildren;
}

const TABS = { webhooks: 'Webhooks', ci: 'CI snippets' } as const;

/** A page among the integrations of a project. */
export function IntegrationsLayout({ page, project, tab, children }: IntegrationsLayoutProps) {
  const tabs = (['webhooks', 'ci'] as const).map((name) => ({
    label: TABS[name],
    href: `/projects/${project.id}/integrations/${name}`,
    isCurrent: name === tab,
  }));
  return (
    <ProjectLayout page={page} project={project} section="integrations" title={`${TABS[tab]} · Integrations`}>
      <div class="sub-tabs">
        <Tabs label="Integrations" tabs={tabs} />
      </div>
      <h1>{TABS[tab]}</h1>
      {children}
    </ProjectLayout>
  );
}
