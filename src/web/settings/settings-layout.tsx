import type { ComponentChildren } from 'preact';
import type { ProjectRight } from '#src/domain/people/rights.js';
import type { AssetName } from '#src/web/http/asset-files.js';
import { Tabs } from '#src/web/components/tabs.js';
import { ProjectLayout } from '#src/web/layout/project-layout.js';
import type { ProjectContext, SignedInPage } from '#src/web/layout/page-context.js';

/** What every page of a project's settings is given. */
export interface SettingsProps {
  page: SignedInPage;
  project: ProjectContext;
}

const TABS = {
  general: { label: 'General', right: 'project.read' },
  members: { label: 'Members', right: 'members.read' },
  tokens: { label: 'API tokens', right: 'apiTokens.read' },
  limits: { label: 'Limits', right: 'limits.read' },
  variables: { label: 'Variables', right: 'variables.read' },
  audit: { label: 'Audit', right: 'audit.read' },
} as const satisfies Record<string, { label: string; right: ProjectRight }>;

type SettingsTab = keyof typeof TABS;

/** The address of a tab of a project's settings. */
export function settingsPath({ id }: Pick<ProjectContext, 'id'>, tab: string): string {
  return `/projects/${id}/settings/${tab}`;
}

interface SettingsLayoutProps extends SettingsProps {
  tab: SettingsTab;
  /** Heading of the page; the tab's own name unless it is said. */
  title?: string;
  assets?: readonly AssetName[];
  children: ComponentChildren;
}

/** A page of a project's settings, below the tabs that its reader may open. */
export function SettingsLayout({ page, project, tab, title, assets, children }: SettingsLayoutProps) {
  const heading = title ?? TABS[tab].label;
  const tabs = Object.entries(TABS)
    .filter(([, { right }]) => project.may(right))
    .map(([name, { label }]) => ({ label, href: settingsPath(project, name), isCurrent: name === tab }));
  return (
    <ProjectLayout page={page} project={project} section="settings" title={`${heading} · Settings`} assets={assets}>
      {page.isDialog ? null : (
        <div class="sub-tabs">
          <Tabs label="Settings" tabs={tabs} />
        </div>
      )}
      <h1>{heading}</h1>
      {children}
    </ProjectLayout>
  );
}
