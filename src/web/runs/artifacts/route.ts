import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { ShownArtifact } from '#src/web/components/run/artifacts.js';
import { reportsAmong } from '#src/web/texts/report-names.js';
import { artifactResponse, isPicture } from '#src/server/http/artifact-response.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { ofAnyRun } from '#src/web/runs/run-access.js';

/** The files of a run, for its page. */
export async function shownArtifacts(
  { artifacts }: Pick<RouteDeps['runs'], 'artifacts'>,
  runId: string,
): Promise<ShownArtifact[]> {
  const files = await artifacts.list(runId);
  const reports = reportsAmong(files.map(({ filename, metadata }) => ({ name: filename, ...metadata })));
  return files.map(({ _id, filename, length, metadata: { contentType, attempt, sha256 } }, index) => ({
    id: _id.toString(),
    name: filename,
    attempt,
    size: length,
    type: contentType ?? 'application/octet-stream',
    sha256,
    isPicture: isPicture(contentType),
    href: `/runs/${runId}/artifacts/${_id.toString()}`,
    reportHref: reports.has(index) ? `/runs/${runId}/report/${_id.toString()}` : undefined,
  }));
}

/** GET /runs/{runId}/artifacts/{artifactId}: a file of a run. */
export function artifactRoute(deps: RouteDeps): ServerRoute {
  return defineRoute<{ Params: { runId: string; artifactId: string } }>({
    method: 'GET',
    path: '/runs/{runId}/artifacts/{artifactId}',
    options: { app: { access: ofAnyRun('runs.read', deps) } },
    async handler({ params }, h) {
      const found = await deps.runs.artifacts.open(params.runId, params.artifactId);
      if (!found) throw new NotFoundError(RESOURCE_NOT_FOUND);
      return artifactResponse(h, found);
    },
  });
}
