import Joi from 'joi';
import type { RunKind } from '../../../../domain/run.js';
import { NotFoundError } from '../../../../domain/errors.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import { apiRoute } from '../../../api/api-route.js';
import { artifactResponse } from '../../../artifact-response.js';
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
        attempt: Joi.number().integer().min(1).allow(null).required(),
        sha256: Joi.string().hex().allow(null).required(),
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
    answers: { 200: { description: 'All of them: the last attempt’s first, by name.', schema: artifacts } },
    async handler({ params }) {
      const files = await deps.runs.artifacts.list(params.runId);
      const results = files.map(({ _id, filename, length, metadata: { contentType, attempt, sha256 } }) => ({
        id: _id.toString(),
        name: filename,
        size: length,
        type: contentType ?? 'application/octet-stream',
        attempt: attempt ?? null,
        sha256: sha256 ?? null,
      }));
      return { count: results.length, next: null, previous: null, results };
    },
  });
}

/** GET …/{runId}/artifacts/{artifactId}: the content of a file. */
export function artifactRoute(kind: RunKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<{ Params: RunParams['Params'] & { artifactId: string } }>({
    method: 'GET',
    path: `${path}{runId}/artifacts/{artifactId}/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `The content of a file of a ${one}`,
    description: 'Its ETag is its SHA-256.',
    tag: TAG,
    params: runParams.keys({ artifactId: Joi.string().max(100).required() }),
    answers: { 200: { description: 'Its bytes.', contentType: 'application/octet-stream' } },
    async handler({ params }, h) {
      const found = await deps.runs.artifacts.open(params.runId, params.artifactId);
      if (!found) throw new NotFoundError(NOTHING_HERE);
      return artifactResponse(h, found);
    },
  });
}
