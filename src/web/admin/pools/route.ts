import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { pool as poolName } from '#src/domain/targets/definition-fields.js';
import type { Pool, PoolSettings } from '#src/domain/pool.js';
import { ConfirmRemovePool } from './confirm-remove.js';
import { PoolPage } from './pool-page.js';
import { PoolsPage } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/forms/checked.js';
import { formPages } from '#src/server/forms/form-pages.js';
import type { SubmittedForm } from '#src/server/forms/submitted-form.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { poolSettings } from '#src/server/routes/api/pools/pool-shapes.js';

const LIST = '/admin/pools';
/** Projects that the form lists; the API takes any. */
const MAX_LISTED = 500;
/** As many ids as a pool may have. */
const MAX_BYTES = 256 * 1024;

interface OfPool {
  Params: { poolName: string };
}

const settingsForm = Joi.object<PoolSettings>(poolSettings);
const newForm = Joi.object<PoolSettings & { name: string }>({ name: poolName.required(), ...poolSettings });

/** Pools: listed, created, changed, removed. */
export function poolPages({ pools }: RouteDeps): ServerRoute[] {
  const edit = { right: 'pools.edit' } as const;
  const projects = () => pools.projects(MAX_LISTED);
  return [
    pageRoute({
      path: LIST,
      access: { right: 'instance.read' },
      show: async (_request, page) => PoolsPage({ page, pools: await pools.list() }),
    }),
    ...formPages({
      path: `${LIST}/new`,
      access: edit,
      maxBytes: MAX_BYTES,
      values: () => ({ access: 'listed' }),
      show: async (_request, page, form) => PoolPage({ page, form, projects: await projects() }),
      async submit(request, form) {
        const { name, ...settings } = checked(newForm, { name: form.text('name'), ...settingsIn(form) });
        await pools.create(callerOf(request), name, settings);
        return { goTo: LIST, notice: `Pool “${name}” created.` };
      },
    }),
    ...formPages<OfPool, Pool>({
      path: `${LIST}/{poolName}`,
      access: edit,
      maxBytes: MAX_BYTES,
      load: ({ params }) => pools.get(params.poolName),
      values: (_request, { description, projects }) =>
        projects === 'all' ? { description, access: 'all' } : { description, access: 'listed', projects },
      show: async (_request, page, form, { _id: name }) => PoolPage({ page, form, name, projects: await projects() }),
      async submit(request, form, _page, { _id: name }) {
        const settings = checked(settingsForm, settingsIn(form));
        await pools.change(callerOf(request), name, form.revision(), settings);
        return { goTo: LIST, notice: `Pool “${name}” saved.` };
      },
    }),
    ...formPages<OfPool>({
      path: `${LIST}/{poolName}/remove`,
      access: edit,
      async show({ params }, page, { problem }) {
        const { _id: name } = await pools.get(params.poolName);
        return ConfirmRemovePool({ page, name, problem });
      },
      async submit(request) {
        const name = request.params.poolName;
        await pools.remove(callerOf(request), name, '*');
        return { goTo: LIST, notice: `Pool “${name}” removed.` };
      },
    }),
  ];
}

function settingsIn(form: SubmittedForm): { description: string; projects: string | string[] } {
  const projects = form.raw('access') === 'all' ? 'all' : form.all('projects');
  return { description: form.raw('description'), projects };
}
