import type { Pool } from '#src/domain/pool.js';
import { DataTable } from '#src/web/components/data-table.js';
import { DialogLink } from '#src/web/components/dialog-link.js';
import { formatCount } from '#src/web/texts/format.js';
import { AdminLayout, type AdminProps } from '#src/web/admin/admin-layout.js';
import { DocsLink } from '#src/web/components/docs-link.js';

/** Admin, Pools: which projects may use which group of runners. */
export function PoolsPage({ page, pools }: AdminProps & { pools: readonly Pool[] }) {
  return (
    <AdminLayout page={page} tab="pools">
      <p>
        A pool is a named group of runners: the workers that list it in <code>RUNHOOK_POOLS</code>. A test runs only in
        a pool that its project has access to. <a href="/admin/workers">Workers</a> lists the workers of each pool.{' '}
        <DocsLink to="pools" />
      </p>
      <p>
        <a class="btn btn-primary" href="/admin/pools/new">
          New pool
        </a>
      </p>
      <DataTable
        items={pools}
        columns={[
          {
            label: 'Name',
            cell: ({ _id: name }) => (
              <a href={`/admin/pools/${name}`}>
                <code>{name}</code>
              </a>
            ),
          },
          { label: 'Description', cell: ({ description }) => description || '–' },
          {
            label: 'Projects',
            cell: ({ projects }) => (projects === 'all' ? 'all' : formatCount(projects.length, 'project')),
          },
        ]}
        actions={({ _id: name }) => (
          <DialogLink href={`/admin/pools/${name}/remove`} label={`Remove: ${name}`}>
            Remove
          </DialogLink>
        )}
      />
    </AdminLayout>
  );
}
