import Joi from 'joi';
import type { PoolSettings } from '../../../../domain/pool.js';
import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { etagOf, expectedRevision } from '../../../api/etag.js';
import { apiError } from '../../../api/shapes.js';
import type { RouteDeps } from '../../../context.js';
import { ETAG_HEADER } from '../runs/profile-shape.js';
import { POOL_TAG, poolParams, poolSettings, poolShape, showPool } from './shapes.js';

interface OfPool {
  Params: { poolName: string };
}

const path = '/pools/{poolName}/';

/** GET /pools/{poolName}/. */
export function poolRoute({ pools }: RouteDeps) {
  return apiRoute<OfPool>({
    method: 'GET',
    path,
    access: { right: 'instance.read' },
    params: poolParams,
    summary: 'A pool',
    tag: POOL_TAG,
    answers: { 200: { description: 'The pool.', schema: poolShape, headers: ETAG_HEADER } },
    async handler(request, h) {
      const pool = await pools.get(request.params.poolName);
      return h.response(showPool(pool)).header('etag', etagOf(pool.revision));
    },
  });
}

/** PATCH /pools/{poolName}/. */
export function changePoolRoute({ pools }: RouteDeps) {
  return apiRoute<OfPool & { Payload: Partial<PoolSettings> }>({
    method: 'PATCH',
    path,
    access: { right: 'pools.edit' },
    params: poolParams,
    ifMatch: true,
    summary: 'Change a pool',
    description:
      '`projects` replaces the whole list. Tests of a project that loses the pool cannot be saved with it any more; those that are saved or queued end as `error`/POOL_CLOSED when their turn comes. Tests that are running finish.',
    tag: POOL_TAG,
    body: Joi.object(poolSettings).min(1),
    bodyExample: { projects: 'all' },
    answers: { 200: { description: 'The pool.', schema: poolShape, headers: ETAG_HEADER } },
    async handler(request, h) {
      const { params, payload } = request;
      const pool = await pools.change(callerOf(request), params.poolName, expectedRevision(request), payload);
      return h.response(showPool(pool)).header('etag', etagOf(pool.revision));
    },
  });
}

/** DELETE /pools/{poolName}/. */
export function removePoolRoute({ pools }: RouteDeps) {
  return apiRoute<OfPool>({
    method: 'DELETE',
    path,
    access: { right: 'pools.edit' },
    params: poolParams,
    ifMatch: true,
    summary: 'Remove a pool',
    tag: POOL_TAG,
    answers: {
      204: { description: 'It is removed.' },
      409: { description: '`in_use`: tests use it, or it is the default pool.', schema: apiError },
    },
    async handler(request, h) {
      await pools.remove(callerOf(request), request.params.poolName, expectedRevision(request));
      return h.response().code(204);
    },
  });
}
