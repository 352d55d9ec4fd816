import { Readable } from 'node:stream';
import type { ServerRoute } from '@hapi/hapi';
import type { LogLine } from '../../../../domain/log-line.js';
import { LogPage } from '../../../../web/components/live/log-page.js';
import { plainText } from '../../../../web/ansi.js';
import { placeOf } from '../../../../web/log-place.js';
import { fileName } from '../../../artifact-response.js';
import { defineRoute, type RouteDeps } from '../../../context.js';
import { pageRoute } from '../../../pages/page-route.js';
import { ofAnyRun, type RunParams } from './access.js';
import { logPlace } from './show-test-run.js';

/** GET /runs/{runId}/log/lines?before=…|after=…: a part of the log, for a page that is open. */
export function logLinesRoute(deps: RouteDeps): ServerRoute {
  return pageRoute<RunParams & { Query: { before?: string; after?: string } }>({
    path: '/runs/{runId}/log/lines',
    access: ofAnyRun('runs.read', deps),
    query: { before: logPlace, after: logPlace },
    async show({ params, query }) {
      const after = query.after === undefined ? undefined : placeOf(query.after);
      const before = query.before === undefined ? undefined : placeOf(query.before);
      const wanted = { ...(after ? { after } : {}), ...(before ? { before } : {}) };
      return LogPage({ ...(await deps.runs.readLog.window(params.runId, wanted)), after });
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
