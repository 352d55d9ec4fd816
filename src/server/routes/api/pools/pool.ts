import Joi from 'joi';
import type { PoolSettings } from '#src/domain/pool.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { etagOf, expectedRevision } from '#src/server/api/etag.js';
import { apiError } from '#src/server/api/shapes.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { ETAG_HEADER } from '#src/server/routes/api/variables/variable-set-shape.js';
import { POOL_TAG, poolParams, poolSettings, poolShape, showPool } from './pool-shapes.js';

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
    summary: 'Retrieve a pool',
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
    summary: 'Update a pool',
    description:
      '`projects` replaces the whole list. If a project loses access to the pool, its tests can no longer be saved with it, and queued or new test runs end with status `error` and code POOL_CLOSED. Tests that are already running finish.',
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
    summary: 'Delete a pool',
    tag: POOL_TAG,
    answers: {
      204: { description: 'The pool is deleted.' },
      409: { description: '`in_use`: tests use the pool, or it is the default pool.', schema: apiError },
    },
    async handler(request, h) {
      await pools.remove(callerOf(request), request.params.poolName, expectedRevision(request));
      return h.response().code(204);
    },
  });
}
