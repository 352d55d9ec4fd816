import { Readable } from 'node:stream';
import type { ServerRoute } from '@hapi/hapi';
import { STORAGE_FOR_REPORTS } from '#src/web/http/report-storage.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';

/*
 * Files of a report, which may have any script. The policy gives its page an origin of its own, with no cookies and no
 * storage, so what the page asks for comes without a session as well: the link in its address opens the files of its attempt
 * and nothing else.
 */

const POLICY = [
  'sandbox allow-scripts allow-popups allow-forms allow-modals allow-downloads',
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
  "form-action 'none'",
  "object-src 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  // To itself a page of no origin is another site. Who has the address may read the file anyway.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** GET /reports/{link}/{name}: a file of the attempt that the link is for. */
export function reportFileRoute({ runs }: RouteDeps): ServerRoute {
  return defineRoute<{ Params: { link: string; name: string } }>({
    method: 'GET',
    path: '/reports/{link}/{name*}',
    options: { app: { access: 'public' } },
    async handler({ params: { link, name } }, h) {
      const found = await runs.artifacts.openByLink(link, name);
      const type = found?.file.metadata.contentType ?? 'text/plain';
      const response = found
        ? h.response(type === 'text/html' ? withStorage(found.content) : found.content)
        : h.response('The file does not exist, or the link has expired. Open the report from its run again.').code(404);
      response.type(/^text\//.test(type) ? `${type}; charset=utf-8` : type);
      for (const [header, value] of Object.entries(HEADERS)) response.header(header, value);
      return response;
    },
  });
}

/** Reports that remember how they were looked at would end with an error where there is no storage. */
function withStorage(page: Readable): Readable {
  async function* parts() {
    yield Buffer.from(`<!doctype html><script>${STORAGE_FOR_REPORTS}</script>`);
    let isFirst = true;
    for await (const part of page as AsyncIterable<Buffer>) {
      yield isFirst ? withoutByteOrderMark(part) : part;
      isFirst = false;
    }
  }
  return Readable.from(parts(), { objectMode: false });
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

function withoutByteOrderMark(start: Buffer): Buffer {
  return start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? start.subarray(BYTE_ORDER_MARK.length)
    : start;
}
