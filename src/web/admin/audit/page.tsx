import { AuditList, type AuditListProps } from '#src/web/components/audit-list.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';

/** Admin, Audit: who did what on the whole instance, sign-ins and refused ones too. */
export function InstanceAuditPage({ page, ...list }: AdminProps & Pick<AuditListProps, 'entries' | 'query'>) {
  return (
    <AdminLayout page={page} tab="audit">
      <p>Changes on this server and in every project, including successful and failed sign-ins.</p>
      <AuditList {...list} path="/admin/audit" showsProject />
    </AdminLayout>
  );
}
