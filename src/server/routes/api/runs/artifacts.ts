import Joi from 'joi';
import type { RunKind } from '../../../../domain/run.js';
import { apiRoute } from '../../../api/api-route.js';
import type { RouteDeps } from '../../../context.js';
import { KINDS, ofRun, runParams, TAG, type RunParams } from './kinds.js';

const artifacts = Joi.object({
  count: Joi.number().integer().min(0).required(),
  next: Joi.valid(null).required(),
  previous: Joi.valid(null).required(),
  results: Joi.array()
    .items(
      Joi.object({
        id: Joi.string().required(),
        name: Joi.string().allow('').required(),
        size: Joi.number().integer().min(0).required().description('In bytes.'),
        type: Joi.string().required().description('Media type.'),
      }),
    )
    .required(),
});

/** GET …/{runId}/artifacts/: files of a run. */
export function artifactsRoute(kind: RunKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'GET',
    path: `${path}{runId}/artifacts/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `Files of a ${one}`,
    tag: TAG,
    params: runParams,
    answers: { 200: { description: 'All of them, by name.', schema: artifacts } },
    async handler({ params }) {
      const results = (await deps.runs.artifacts(params.runId)).map(({ _id, filename, length, metadata }) => ({
        id: _id.toString(),
        name: filename,
        size: length,
        type: metadata.contentType ?? 'application/octet-stream',
      }));
      return { count: results.length, next: null, previous: null, results };
    },
  });
}
