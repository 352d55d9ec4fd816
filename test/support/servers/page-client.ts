import type { Server } from '@hapi/hapi';
import type { TestPerson } from '#test/support/people.js';

export interface PageAnswer {
  status: number;
  html: string;
  location: string | undefined;
  /** The notice on the next page. */
  notice: string | undefined;
}

/** Requests a page like a person's browser. */
export function getPage(server: Server, { sessionHeaders: { cookie } }: TestPerson, url: string): Promise<PageAnswer> {
  return ask(server, { method: 'GET', url, headers: { cookie, accept: 'text/html' } });
}

/** Sends a form like a person's browser, with its CSRF token. */
export function sendForm(
  server: Server,
  { sessionHeaders }: TestPerson,
  url: string,
  fields: Record<string, string> = {},
): Promise<PageAnswer> {
  const payload = new URLSearchParams({ _csrf: sessionHeaders['x-csrf-token'], ...fields }).toString();
  return ask(server, {
    method: 'POST',
    url,
    payload,
    headers: {
      cookie: sessionHeaders.cookie,
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
}

/** Sends a form with a file. */
export async function sendFile(
  server: Server,
  { sessionHeaders }: TestPerson,
  url: string,
  fields: Record<string, string | File>,
): Promise<PageAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ _csrf: sessionHeaders['x-csrf-token'], ...fields }))
    form.set(name, value);
  const request = new Request('http://runhook.test', { method: 'POST', body: form });
  return ask(server, {
    method: 'POST',
    url,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      cookie: sessionHeaders.cookie,
      accept: 'text/html',
      'content-type': request.headers.get('content-type')!,
    },
  });
}

async function ask(server: Server, request: Exclude<Parameters<Server['inject']>[0], string>): Promise<PageAnswer> {
  const { statusCode, payload, headers } = await server.inject(request);
  const said = [headers['set-cookie'] ?? []].flat().find((one) => one.startsWith('runhook_notice='));
  const notice = said && Buffer.from(said.split(';')[0]!.slice('runhook_notice='.length), 'base64').toString();
  return { status: statusCode, html: payload, location: headers.location, notice: notice || undefined };
}
