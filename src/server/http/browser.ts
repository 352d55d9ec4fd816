import type { Request } from '@hapi/hapi';
import { API_BASE } from '#src/server/api/api-route.js';

/** Whether a person's browser asks for a page. /webhooks and /api return JSON to everyone. */
export function isForBrowser({
  headers,
  path,
  raw,
  route,
}: Pick<Request, 'headers' | 'path' | 'raw' | 'route'>): boolean {
  if (route.settings.app?.isStream) return false;
  // hapi has no path for an address that it could not decode.
  const address = path || raw.req.url || '';
  return (
    String(headers.accept).includes('text/html') && !address.startsWith('/webhooks') && !address.startsWith(API_BASE)
  );
}
