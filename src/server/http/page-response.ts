import { isIP } from 'node:net';
import type { Request, ResponseObject } from '@hapi/hapi';
import type { VNode } from 'preact';
import { renderPage } from '#src/web/http/render-page.js';

declare module '@hapi/hapi' {
  interface ServerApplicationState {
    /** Address under which people reach the server. No slash at the end. */
    publicUrl: string;
  }
}

type Asked = Pick<Request, 'headers' | 'server'>;

/** Headers of every HTML page: scripts from /assets/ only, nothing of other sites, no address sent to them, no cache. */
export function pageHeaders(request: Asked): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${scriptSources(request)}; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

const HOST = /^([a-z0-9.-]+)(?::\d{1,5})?$/i;

/**
 * Sources of scripts. A path in a policy requires a host: that of the public URL and that of the request. A policy cannot
 * contain an IP address other than 127.0.0.1 (CSP 3, 6.7.2.9): it then allows the whole origin.
 */
function scriptSources({ headers, server }: Asked): string {
  const asked = HOST.exec(String(headers.host ?? ''));
  if (!asked || (isIP(asked[1]!) && asked[1] !== '127.0.0.1')) return "'self'";
  return [`${new URL(server.app.publicUrl).origin}/assets/`, `${asked[0]}/assets/`].join(' ');
}

/** The part of hapi's toolkit that a page needs: the toolkits of differently typed routes have no common type. */
interface Responder {
  request: Asked;
  response(html: string): ResponseObject;
}

/** Responds with a page. */
export function pageResponse(h: Responder, page: VNode): ResponseObject {
  const response = h.response(renderPage(page));
  for (const [name, value] of Object.entries(pageHeaders(h.request))) response.header(name, value);
  return response;
}

/**
 * Responds with a page whose form is sent without a session. With no-referrer, browsers would send no `Origin` with it (see
 * same-site.ts).
 */
export function formPageResponse(h: Responder, page: VNode): ResponseObject {
  return pageResponse(h, page).header('referrer-policy', 'same-origin');
}

/** Responds with a page that shows other pages of this server in frames. */
export function framePageResponse(h: Responder, page: VNode): ResponseObject {
  const policy = pageHeaders(h.request)['content-security-policy']!;
  return pageResponse(h, page).header('content-security-policy', `${policy}; frame-src 'self'`);
}
