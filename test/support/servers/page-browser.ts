import type { Server } from '@hapi/hapi';
import type { TestPerson } from '#test/support/people.js';

export interface PageAnswer {
  status: number;
  html: string;
  location: string | undefined;
  headers: Record<string, unknown>;
}

/** A signed-in person's browser without JavaScript. */
export interface PageBrowser {
  get(url: string): Promise<PageAnswer>;
  /** Follows the redirect of a response, with its cookies. */
  follow(answer: PageAnswer): Promise<PageAnswer>;
  /** Sends a form; a list is sent as repeated fields. */
  send(url: string, fields?: Record<string, string | string[]>): Promise<PageAnswer>;
}

/** Requests pages and sends forms as a person. */
export function pageBrowser(server: Server, { sessionHeaders }: Pick<TestPerson, 'sessionHeaders'>): PageBrowser {
  const headers = { ...sessionHeaders, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const shown = ({ statusCode, payload, headers }: Awaited<ReturnType<Server['inject']>>): PageAnswer => ({
    status: statusCode,
    html: payload,
    location: headers.location as string | undefined,
    headers,
  });
  return {
    get: async (url) => shown(await server.inject({ url, headers })),
    async follow({ location, headers: { 'set-cookie': given } }) {
      const cookies = [given ?? []].flat().map((one) => String(one).split(';')[0]);
      const cookie = [headers.cookie, ...cookies].join('; ');
      return shown(await server.inject({ url: location!, headers: { ...headers, cookie } }));
    },
    async send(url, fields = {}) {
      const sent = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
      return shown(
        await server.inject({
          method: 'POST',
          url,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(sent).toString(),
        }),
      );
    },
  };
}
