import { AuditList, type AuditListProps } from '../../components/audit-list.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

/** Settings, Audit: who did what in the project. */
export function AuditPage({ page, project, ...list }: SettingsProps & Pick<AuditListProps, 'entries' | 'query'>) {
  return (
    <SettingsLayout page={page} project={project} tab="audit">
      <p>Who changed what in this project. Runs by webhook are under Runs.</p>
      <AuditList {...list} path={settingsPath(project, 'audit')} />
    </SettingsLayout>
  );
}
