import type { TestPerson } from '#test/support/people.js';

/** A response of the API. */
export interface ApiAnswer {
  status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests state their expectations
  body: any;
}

export type ApiCall = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<ApiAnswer>;

/**
 * Calls the API with a token.
 * @param baseUrl of the server, without a trailing slash
 */
export function apiClient(baseUrl: string, token: string): ApiCall {
  return callsWith(baseUrl, { authorization: `Token ${token}` });
}

/** Calls the API like a signed-in browser. */
export function sessionClient(baseUrl: string, { sessionHeaders }: Pick<TestPerson, 'sessionHeaders'>): ApiCall {
  return callsWith(baseUrl, sessionHeaders);
}

function callsWith(baseUrl: string, credentials: Record<string, string>): ApiCall {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}/api/v2${path}`, {
      method,
      headers: {
        ...credentials,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : undefined };
  };
}

/** Follows the log of a test run to its end. @returns its lines as `stream text` */
export async function followLog(call: ApiCall, runId: string): Promise<string[]> {
  const lines: string[] = [];
  for (let after: string | null = null; ;) {
    const { status, body } = await call('GET', `/testruns/${runId}/logs/?follow=true${after ? `&after=${after}` : ''}`);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    lines.push(...body.results.map(({ stream, text }: { stream: string; text: string }) => `${stream} ${text}`));
    if (body.ended) return lines;
    after = body.next;
  }
}
