import { AuditList, type AuditListProps } from '#src/web/components/audit-list.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

/** Settings, Audit: who did what in the project. */
export function AuditPage({ page, project, ...list }: SettingsProps & Pick<AuditListProps, 'entries' | 'query'>) {
  return (
    <SettingsLayout page={page} project={project} tab="audit">
      <p>Changes in this project. Runs started by webhooks are listed under Runs.</p>
      <AuditList {...list} path={settingsPath(project, 'audit')} />
    </SettingsLayout>
  );
}
