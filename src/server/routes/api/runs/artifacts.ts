import Joi from 'joi';
import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { NotFoundError } from '#src/domain/errors.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { ArtifactReader } from '#src/services/runs/artifact-reader.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { artifactResponse } from '#src/server/http/artifact-response.js';
import type { RouteDeps } from '#src/server/route-deps.js';
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
        size: Joi.number().integer().min(0).required().description('Size in bytes.'),
        type: Joi.string().required().description('Media type.'),
        attempt: Joi.number().integer().min(1).allow(null).required(),
        sha256: Joi.string().hex().allow(null).required(),
      }),
    )
    .required(),
});

/** GET …/{runId}/artifacts/: artifacts of a run. */
export function artifactsRoute(kind: TargetKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<RunParams>({
    method: 'GET',
    path: `${path}{runId}/artifacts/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `List the artifacts of a ${one}`,
    tag: TAG,
    params: runParams,
    answers: {
      200: { description: 'All artifacts, those of the last attempt first, sorted by name.', schema: artifacts },
    },
    async handler({ params }) {
      const files = await deps.runs.artifacts.list(params.runId);
      const results = files.map(showArtifact);
      return { count: results.length, next: null, previous: null, results };
    },
  });
}

export function showArtifact({ _id, filename, length, metadata }: Awaited<ReturnType<ArtifactReader['list']>>[number]) {
  const { contentType, attempt, sha256 } = metadata;
  return {
    id: _id.toString(),
    name: filename,
    size: length,
    type: contentType ?? 'application/octet-stream',
    attempt: attempt ?? null,
    sha256: sha256 ?? null,
  };
}

/** GET …/{runId}/artifacts/{artifactId}: the content of an artifact. */
export function artifactRoute(kind: TargetKind, deps: RouteDeps) {
  const { path, one } = KINDS[kind];
  return apiRoute<{ Params: RunParams['Params'] & { artifactId: string } }>({
    method: 'GET',
    path: `${path}{runId}/artifacts/{artifactId}/`,
    access: ofRun(kind, 'runs.read', deps),
    summary: `Download an artifact of a ${one}`,
    description: 'The ETag is the SHA-256 of the content.',
    tag: TAG,
    params: runParams.keys({ artifactId: Joi.string().max(100).required() }),
    answers: { 200: { description: 'The content.', contentType: 'application/octet-stream' } },
    async handler({ params }, h) {
      const found = await deps.runs.artifacts.open(params.runId, params.artifactId);
      if (!found) throw new NotFoundError(RESOURCE_NOT_FOUND);
      return artifactResponse(h, found);
    },
  });
}
