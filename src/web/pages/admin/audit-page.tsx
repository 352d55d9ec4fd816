import { AuditList, type AuditListProps } from '../../components/audit-list.js';
import { AdminLayout, type AdminProps } from './admin-layout.js';

/** Admin, Audit: who did what on the whole instance, sign-ins and refused ones too. */
export function InstanceAuditPage({ page, ...list }: AdminProps & Pick<AuditListProps, 'entries' | 'query'>) {
  return (
    <AdminLayout page={page} tab="audit">
      <p>Who changed what on this server, in every project; sign-ins and refused ones too.</p>
      <AuditList {...list} path="/admin/audit" showsProject />
    </AdminLayout>
  );
}
