import type { ServerRoute } from '@hapi/hapi';
import { NotFoundError } from '#src/domain/errors.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import { ReportPage } from './page.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { projectContextOf } from '#src/server/pages/page-context-of.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { ofAnyRun } from '#src/web/runs/run-access.js';

/** GET /runs/{runId}/report/{artifactId}: an HTML report of a run, in a frame without access to the app (see routes/report-file). */
export function reportRoute(deps: RouteDeps): ServerRoute {
  const { reader, runs } = deps;
  return pageRoute<{ Params: { runId: string; artifactId: string } }>({
    path: '/runs/{runId}/report/{artifactId}',
    access: ofAnyRun('runs.read', deps),
    hasFrames: true,
    async show(request, page) {
      const { runId, artifactId } = request.params;
      const [{ run, projectName }, files] = await Promise.all([reader.find(runId), runs.artifacts.list(runId)]);
      const file = files.find(({ _id }) => _id.toString() === artifactId);
      if (file?.metadata.attempt === undefined) throw new NotFoundError(RESOURCE_NOT_FOUND);
      const link = runs.artifacts.linkToReport({ runId, attempt: file.metadata.attempt });
      const path = file.filename.split('/').map(encodeURIComponent).join('/');
      return ReportPage({
        page,
        project: projectContextOf(request, { name: projectName }),
        run,
        name: file.filename,
        attempt: file.metadata.attempt,
        src: `/reports/${link}/${path}`,
      });
    },
  });
}
