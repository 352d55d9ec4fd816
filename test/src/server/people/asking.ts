import type { Server, ServerInjectResponse } from '@hapi/hapi';

/** An answer of the API: any of its fields may be asked for. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test asserts what is in it
export type ApiAnswer = { status: number; body: any; headers: ServerInjectResponse['headers']; cookies: string };

/** Asks the API. @param path below /api/v2 */
export async function ask(
  server: Server,
  method: string,
  path: string,
  { headers = {}, body, address = '127.0.0.1' }: { headers?: object; body?: object; address?: string } = {},
): Promise<ApiAnswer> {
  const answer = await server.inject({
    method,
    url: `/api/v2${path}`,
    headers: { ...headers },
    remoteAddress: address,
    ...(body ? { payload: body } : {}),
  });
  return {
    status: answer.statusCode,
    body: answer.payload === '' ? undefined : JSON.parse(answer.payload),
    headers: answer.headers,
    cookies: cookiesOf(answer),
  };
}

/** What a browser sends back of the cookies that an answer set. */
export function cookiesOf({ headers }: Pick<ServerInjectResponse, 'headers'>): string {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; ');
}
