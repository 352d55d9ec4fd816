import type { Cli } from '#src/cli/cli.js';
import { connectionReports } from '#src/cli/cli.js';
import { ask } from '#src/cli/ask.js';
import { DEFAULT_URL } from '#src/cli/settings.js';
import { createHttp, type Http } from './http.js';
import type { Me } from './responses.js';

/**
 * Signs in with email and password, calls `use` with the session, and signs out again.
 * @param email prompted for if absent, like the password
 * @throws ApiError when the sign-in fails
 */
export async function inSession<T>(
  cli: Cli,
  { url = cli.settings.url ?? DEFAULT_URL, email }: { url?: string; email?: string },
  use: (http: Http, me: Me) => Promise<T>,
): Promise<T> {
  const { io, userAgent, output } = cli;
  const name = email ?? (await ask(io, 'Email: ')).trim();
  const password = await ask(io, 'Password: ', { hidden: true });
  const http = createHttp({ url, userAgent, ...connectionReports(output) });
  const signedIn = await http.send({ method: 'POST', path: '/auth/sign-in/', json: { email: name, password } });
  const me = JSON.parse(signedIn.text) as Me;
  const headers = {
    cookie: signedIn.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
    'x-csrf-token': me.csrfToken ?? '',
  };
  const session: Http = {
    send: (request) => http.send({ ...request, headers: { ...headers, ...request.headers } }),
    download: (request, save) => http.download({ ...request, headers: { ...headers, ...request.headers } }, save),
    json: (request) => http.json({ ...request, headers: { ...headers, ...request.headers } }),
  };
  try {
    return await use(session, me);
  } finally {
    await session.send({ method: 'POST', path: '/auth/sign-out/', json: {} }).catch((error: Error) => {
      output.note(`Could not sign out (${error.message}). The session will expire.`);
    });
  }
}
