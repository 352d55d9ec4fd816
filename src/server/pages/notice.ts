import type { Request, ResponseObject, ServerStateCookieOptions } from '@hapi/hapi';

/*
 * What a form has done, said once on the page that follows it: in a cookie, so that it is in no address.
 */

const NAME = 'runhook_notice';
const OPTIONS: ServerStateCookieOptions = {
  ttl: 30_000,
  isSecure: false,
  isHttpOnly: true,
  isSameSite: 'Strict',
  path: '/',
  encoding: 'base64',
};

/** Says a sentence on the next page. */
export function withNotice(response: ResponseObject, notice: string | undefined): ResponseObject {
  return notice === undefined ? response : response.state(NAME, asBytes(notice), OPTIONS);
}

/** hapi encodes the bytes of a text by its character codes: beyond 255 they would be lost. */
const asBytes = (text: string) => Buffer.from(text).toString('latin1');

/** What is to be said on this page. */
export function noticeOf({ state }: Pick<Request, 'state'>): string | undefined {
  const value = (state as Record<string, unknown> | null)?.[NAME];
  if (typeof value !== 'string') return undefined;
  return Buffer.from(value, 'base64').toString();
}

/** The page that answers has said it. */
export function noticeSaid(request: Pick<Request, 'state'>, response: ResponseObject): ResponseObject {
  return noticeOf(request) === undefined ? response : response.unstate(NAME, OPTIONS);
}
