import type { ComponentChildren } from 'preact';
import { SettingsLayout, type SettingsProps } from '#src/web/settings/settings-layout.js';

interface TokensPageProps extends SettingsProps {
  /** The name of a token that was just created. */
  created?: string | undefined;
  children: ComponentChildren;
}

/** Settings, API tokens: those of the project. */
export function TokensPage({ page, project, created, children }: TokensPageProps) {
  if (created !== undefined)
    return (
      <SettingsLayout page={page} project={project} tab="tokens" title={`Token “${created}” created`}>
        {children}
      </SettingsLayout>
    );
  return (
    <SettingsLayout page={page} project={project} tab="tokens">
      <p>
        Project tokens remain valid when people leave. Each acts as an editor of this project only. Webhooks do not need
        one: their URL contains a webhook token, see <a href={`/projects/${project.id}/integrations`}>Integrations</a>.
      </p>
      {children}
    </SettingsLayout>
  );
}
