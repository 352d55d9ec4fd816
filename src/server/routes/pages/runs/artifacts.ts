import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '../../../../domain/errors.js';
import { NOTHING_HERE } from '../../../../services/access.js';
import type { ShownArtifact } from '../../../../web/components/artifacts.js';
import { defineRoute, type RouteDeps } from '../../../context.js';
import { ofAnyRun } from './access.js';

/** Shown in place; anything else is only ever saved: it may be a page with scripts. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const ANY = 'application/octet-stream';

/** The files of a run, for its page. */
export async function shownArtifacts(
  runs: Pick<RouteDeps['runs'], 'artifacts'>,
  runId: string,
): Promise<ShownArtifact[]> {
  return (await runs.artifacts(runId)).map(({ _id, filename, length, metadata }) => ({
    id: _id.toString(),
    name: filename,
    attempt: metadata.attempt,
    size: length,
    type: metadata.contentType ?? ANY,
    isPicture: PICTURES.includes(metadata.contentType ?? ''),
    href: `/runs/${runId}/artifacts/${_id.toString()}`,
  }));
}

/** GET /runs/{runId}/artifacts/{artifactId}: a file of a run. */
export function artifactRoute(deps: RouteDeps): ServerRoute {
  return defineRoute<{ Params: { runId: string; artifactId: string } }>({
    method: 'GET',
    path: '/runs/{runId}/artifacts/{artifactId}',
    options: { app: { access: ofAnyRun('runs.read', deps) } },
    async handler({ params }, h) {
      const found = await deps.runs.artifact(params.runId, params.artifactId);
      if (!found) throw new NotFoundError(NOTHING_HERE);
      const { filename, length, metadata } = found.file;
      const isPicture = PICTURES.includes(metadata.contentType ?? '');
      return h
        .response(found.content)
        .type(isPicture ? metadata.contentType! : ANY)
        .bytes(length)
        .header('content-disposition', `${isPicture ? 'inline' : 'attachment'}; ${fileName(filename)}`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff');
    },
  });
}

/** A name in a header, whatever is in it (RFC 6266). */
export function fileName(name: string): string {
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `filename*=UTF-8''${encoded}`;
}
