import { Readable } from 'node:stream';
import type { ServerRoute } from '@hapi/hapi';
import type { LogLine } from '#src/domain/runs/log-line.js';
import { LogPage } from '#src/web/components/live/log-page.js';
import { plainText } from '#src/web/texts/ansi.js';
import { placeOf } from '#src/web/texts/log-place.js';
import { fileName } from '#src/server/http/artifact-response.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';
import { pageRoute } from '#src/server/pages/page-route.js';
import { ofAnyRun, type RunParams } from '#src/web/runs/run-access.js';
import { logPlace } from '#src/web/runs/test-run/show-test-run.js';

/** GET /runs/{runId}/log/lines?before=…|after=…: a part of the log, for a page that is open. */
export function logLinesRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<RunParams & { Query: { before?: string; after?: string } }>({
    path: '/runs/{runId}/log/lines',
    access: ofAnyRun('runs.read', deps),
    query: { before: logPlace, after: logPlace },
    async show({ params, query }) {
      const after = query.after === undefined ? undefined : placeOf(query.after);
      const before = query.before === undefined ? undefined : placeOf(query.before);
      return LogPage({ ...(await deps.runs.readLog.window(params.runId, { after, before })), after });
    },
  });
}

/** GET /runs/{runId}/log: all of it, as a text file. */
export function logFileRoute(deps: RouteDeps): ServerRoute {
  return defineRoute<RunParams>({
    method: 'GET',
    path: '/runs/{runId}/log',
    options: { app: { access: ofAnyRun('runs.read', deps) } },
    handler({ params: { runId } }, h) {
      return h
        .response(Readable.from(textOf(deps.runs.readLog.whole(runId)), { objectMode: false }))
        .type('text/plain; charset=utf-8')
        .header('content-disposition', `attachment; ${fileName(`${runId}.log`)}`)
        .header('x-content-type-options', 'nosniff');
    },
  });
}

async function* textOf(parts: AsyncIterable<LogLine[]>): AsyncGenerator<string> {
  for await (const lines of parts)
    yield lines.map(({ at, stream, text }) => `${at.toISOString()} ${stream} ${plainText(text.trimEnd())}\n`).join('');
}
