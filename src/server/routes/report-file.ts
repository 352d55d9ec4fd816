import { Readable } from 'node:stream';
import type { ServerRoute } from '@hapi/hapi';
import { STORAGE_FOR_REPORTS } from '#src/web/http/report-storage.js';
import { defineRoute, type RouteDeps } from '#src/server/route-deps.js';

/*
 * Files of a report, which may contain any script. The policy gives its page an opaque origin without cookies and storage,
 * so requests of the page have no session: the link in the URL grants access to the files of one attempt only.
 */

const POLICY = [
  'sandbox allow-scripts allow-popups allow-forms allow-modals allow-downloads',
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
  "form-action 'none'",
  "object-src 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  // Requests of a page with an opaque origin are cross-origin. Anyone with the link may read the file anyway.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

/** GET /reports/{link}/{name}: a file of the link's attempt. */
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

/** Adds in-memory storage: reports that store view settings would otherwise fail without `localStorage`. */
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
