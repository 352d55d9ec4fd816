import type { Request } from '@hapi/hapi';
import { StaleFormError } from '../domain/errors.js';

/**
 * For forms and calls that need no session, and so have no CSRF token: a page of another site must not send them (it
 * could sign its visitor in to an account of its own). What is no browser names no site.
 * @throws StaleFormError
 */
export function refuseOtherSites(request: Pick<Request, 'headers'>, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin, host } = request.headers as Record<string, string | undefined>;
  const isOurs =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin === undefined || isOwn(origin, host, publicUrl);
  if (!isOurs) throw new StaleFormError('This was sent by a page of another site. Open the page here and try again.');
}

function isOwn(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host;
}
