import type { Pool } from '../../../domain/pool.js';
import { formatCount } from '../../format.js';
import { AdminLayout, type AdminProps } from './admin-layout.js';

/** Admin, Pools: which projects may use which group of runners. */
export function PoolsPage({ page, pools }: AdminProps & { pools: readonly Pool[] }) {
  return (
    <AdminLayout page={page} tab="pools">
      <p>
        A pool is a named group of runners: workers with its name in <code>RUNHOOK_POOLS</code>. A test runs only in a
        pool that its project may use. <a href="/admin/workers">Workers</a> shows who serves them.
      </p>
      <p>
        <a class="btn btn-primary" href="/admin/pools/new">
          New pool
        </a>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Description</th>
            <th scope="col">Projects</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {pools.map(({ _id: name, description, projects }) => (
            <tr key={name}>
              <th scope="row">
                <a href={`/admin/pools/${name}`}>
                  <code>{name}</code>
                </a>
              </th>
              <td data-label="Description">{description || '–'}</td>
              <td data-label="Projects">{projects === 'all' ? 'all' : formatCount(projects.length, 'project')}</td>
              <td class="actions">
                <a
                  class="btn btn-sm btn-outline-secondary"
                  href={`/admin/pools/${name}/remove`}
                  data-dialog
                  aria-label={`Remove: ${name}`}
                >
                  Remove
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </AdminLayout>
  );
}
