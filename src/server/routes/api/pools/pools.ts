import Joi from 'joi';
import { pool as poolName } from '#src/domain/targets/definition-fields.js';
import { wholeList } from '#src/domain/page.js';
import type { PoolSettings } from '#src/domain/pool.js';
import { callerOf, inProject } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { etagOf } from '#src/server/api/etag.js';
import { listAnswer } from '#src/server/api/paging.js';
import { apiError, listOf, projectParams, wholeListQuery } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { ETAG_HEADER } from '#src/server/routes/api/variables/variable-set-shape.js';
import { POOL_TAG, poolSettings, poolShape, showPool } from './pool-shapes.js';

/** GET /pools/. */
export function poolsRoute({ pools, publicUrl }: RouteDeps) {
  return apiRoute({
    method: 'GET',
    path: '/pools/',
    access: { right: 'instance.read' },
    query: wholeListQuery,
    summary: 'List pools',
    tag: POOL_TAG,
    answers: { 200: { description: 'All pools, sorted by name.', schema: listOf(poolShape) } },
    handler: async (request) => listAnswer(request, publicUrl, wholeList(await pools.list()), showPool),
  });
}

/** POST /pools/. */
export function createPoolRoute({ pools }: RouteDeps) {
  return apiRoute<{ Payload: PoolSettings & { name: string } }>({
    method: 'POST',
    path: '/pools/',
    access: { right: 'pools.edit' },
    summary: 'Create a pool',
    description: 'The pool is served by workers that list its name in `RUNHOOK_POOLS`.',
    tag: POOL_TAG,
    body: Joi.object({
      name: poolName.required(),
      description: poolSettings.description.default(''),
      projects: poolSettings.projects.default([]),
    }),
    bodyExample: { name: 'gpu', description: 'Machines with a graphics card', projects: 'all' },
    answers: {
      201: { description: 'The pool.', schema: poolShape, headers: ETAG_HEADER },
      409: { description: '`name_taken`: a pool with this name already exists.', schema: apiError },
    },
    async handler(request, h) {
      const { name, ...settings } = request.payload;
      const pool = await pools.create(callerOf(request), name, settings);
      return h.response(showPool(pool)).code(201).header('etag', etagOf(pool.revision));
    },
  });
}

/** GET /projects/{projectId}/pools/. */
export function poolsOfProjectRoute({ pools, publicUrl }: RouteDeps) {
  return apiRoute<{ Params: { projectId: string } }>({
    method: 'GET',
    path: '/projects/{projectId}/pools/',
    access: inProject('definitions.read'),
    params: projectParams,
    query: wholeListQuery,
    summary: 'List the pools a project can use',
    tag: POOL_TAG,
    answers: { 200: { description: 'Pool names, sorted.', schema: listOf(Joi.object({ name: poolName.required() })) } },
    handler: async (request) =>
      listAnswer(request, publicUrl, wholeList(await pools.openTo(request.params.projectId)), (name) => ({ name })),
  });
}
