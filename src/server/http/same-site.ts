import type { Request } from '@hapi/hapi';
import { StaleFormError } from '#src/domain/errors.js';

/**
 * For forms and requests without a session, and so without a CSRF token: a page of another site must not send them (it
 * could sign its visitor in to an attacker's account). Clients other than browsers send no site.
 * @throws StaleFormError
 */
export function refuseOtherSites(request: Pick<Request, 'headers'>, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin, host } = request.headers as Record<string, string | undefined>;
  const isOurs =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin === undefined || isOwn(origin, host, publicUrl);
  if (!isOurs)
    throw new StaleFormError(
      'The request came from a page of another site. Open the page on this server and try again.',
    );
}

function isOwn(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host;
}
