import type { ResponseObject } from '@hapi/hapi';
import type { VNode } from 'preact';
import { renderPage } from '../web/render-page.js';

/** Headers of every HTML page: only our own scripts, nothing from elsewhere, no address told to other sites, nothing cached. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** What of hapi's toolkit a page needs: toolkits of differently typed routes have no common type. */
interface Responder {
  response(html: string): ResponseObject;
}

/** Answers with a page. */
export function pageResponse(h: Responder, page: VNode): ResponseObject {
  const response = h.response(renderPage(page));
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.header(name, value);
  return response;
}

/**
 * Answers with a page whose form is sent without a session: with no-referrer browsers would not tell us by `Origin` that
 * it was ours (see same-site.ts).
 */
export function formPageResponse(h: Responder, page: VNode): ResponseObject {
  return pageResponse(h, page).header('referrer-policy', 'same-origin');
}

/** Answers with a page that shows other addresses of ours in frames. */
export function framePageResponse(h: Responder, page: VNode): ResponseObject {
  const policy = PAGE_HEADERS['content-security-policy']!;
  return pageResponse(h, page).header('content-security-policy', `${policy}; frame-src 'self'`);
}
