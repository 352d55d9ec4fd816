import Joi from 'joi';
import { pool as poolName } from '../../../../domain/definition-fields.js';
import { wholeList } from '../../../../domain/page.js';
import type { PoolSettings } from '../../../../domain/pool.js';
import { callerOf, inProject } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { etagOf } from '../../../api/etag.js';
import { listAnswer } from '../../../api/paging.js';
import { apiError, listOf, projectParams, wholeListQuery } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { ETAG_HEADER } from '../runs/profile-shape.js';
import { POOL_TAG, poolSettings, poolShape, showPool } from './shapes.js';

/** GET /pools/. */
export function poolsRoute({ pools, publicUrl }: RouteDeps) {
  return apiRoute({
    method: 'GET',
    path: '/pools/',
    access: { right: 'instance.read' },
    query: wholeListQuery,
    summary: 'List the pools',
    tag: POOL_TAG,
    answers: { 200: { description: 'All of them, by name.', schema: listOf(poolShape) } },
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
    description: 'Its runners are workers with its name among their `RUNHOOK_POOLS`.',
    tag: POOL_TAG,
    body: Joi.object({
      name: poolName.required(),
      description: poolSettings.description.default(''),
      projects: poolSettings.projects.default([]),
    }),
    bodyExample: { name: 'gpu', description: 'Machines with a graphics card', projects: 'all' },
    answers: {
      201: { description: 'The pool.', schema: poolShape, headers: ETAG_HEADER },
      409: { description: '`name_taken`: there is a pool of this name.', schema: apiError },
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
    summary: 'List the pools that a project may use',
    tag: POOL_TAG,
    answers: { 200: { description: 'By name.', schema: listOf(Joi.object({ name: poolName.required() })) } },
    handler: async (request) =>
      listAnswer(request, publicUrl, wholeList(await pools.openTo(request.params.projectId)), (name) => ({ name })),
  });
}
