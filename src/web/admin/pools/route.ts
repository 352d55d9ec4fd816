import type { ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import { pool as poolName } from '#src/domain/targets/definition-fields.js';
import type { Pool, PoolSettings } from '#src/domain/pool.js';
import { ConfirmRemovePool } from './confirm-remove.js';
import { PoolPage, type PoolFields } from './pool-page.js';
import { PoolsPage } from './page.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import { confirmRoutes } from '#src/server/pages/confirm-routes.js';
import type { Form } from '#src/server/pages/form-fields.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { withNameAtField } from '#src/web/targets/form/target-form.js';
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
    pageRoute({
      path: `${LIST}/new`,
      access: edit,
      show: async (_request, page) => PoolPage({ page, fields: EMPTY, projects: await projects() }),
    }),
    formRoute({
      path: `${LIST}/new`,
      access: edit,
      maxBytes: MAX_BYTES,
      async take(request, form) {
        const { name, ...settings } = checked(newForm, { name: form.text('name'), ...settingsIn(form) });
        await withNameAtField(() => pools.create(callerOf(request), name, settings));
        return { goTo: LIST, notice: `Pool “${name}” created.` };
      },
      again: async (_request, form, problem, page) =>
        PoolPage({ page, fields: { ...typed(form), name: form.raw('name') }, projects: await projects(), problem }),
    }),
    pageRoute<OfPool>({
      path: `${LIST}/{poolName}`,
      access: edit,
      show: async ({ params }, page) =>
        PoolPage({ page, fields: fieldsOf(await pools.get(params.poolName)), projects: await projects() }),
    }),
    formRoute<OfPool>({
      path: `${LIST}/{poolName}`,
      access: edit,
      maxBytes: MAX_BYTES,
      async take(request, form) {
        const { poolName: name } = request.params;
        const settings = checked(settingsForm, settingsIn(form));
        await pools.change(callerOf(request), name, Number(form.raw('revision')), settings);
        return { goTo: LIST, notice: `Pool “${name}” saved.` };
      },
      async again({ params }, form, problem, page) {
        const name = params.poolName;
        return PoolPage({ page, fields: { ...typed(form), name }, projects: await projects(), problem });
      },
    }),
    ...confirmRoutes<OfPool>({
      path: `${LIST}/{poolName}/remove`,
      access: edit,
      async ask({ params }, page, problem) {
        const { _id: name } = await pools.get(params.poolName);
        return ConfirmRemovePool({ page, name, problem });
      },
      async take(request) {
        const name = request.params.poolName;
        await pools.remove(callerOf(request), name, '*');
        return { goTo: LIST, notice: `Pool “${name}” removed.` };
      },
    }),
  ];
}

const EMPTY: PoolFields = { name: '', description: '', access: 'listed', projects: [], revision: 0 };

function fieldsOf({ _id, description, projects, revision }: Pool): PoolFields {
  const listed = projects === 'all' ? [] : projects;
  return { name: _id, description, access: projects === 'all' ? 'all' : 'listed', projects: listed, revision };
}

function settingsIn(form: Form): { description: string; projects: string | string[] } {
  const projects = form.raw('access') === 'all' ? 'all' : form.all('projects');
  return { description: form.raw('description'), projects };
}

function typed(form: Form): Omit<PoolFields, 'name'> {
  return {
    description: form.raw('description'),
    access: form.raw('access') === 'all' ? 'all' : 'listed',
    projects: form.all('projects'),
    revision: Number(form.raw('revision')) || 0,
  };
}
