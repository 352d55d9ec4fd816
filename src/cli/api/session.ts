import type { Cli } from '../cli.js';
import { troubleTold } from '../cli.js';
import { ask } from '../ask.js';
import { DEFAULT_URL } from '../settings.js';
import { createHttp, type Http } from './http.js';
import type { Me } from './shapes.js';

/**
 * Signs in with e-mail and password, does something that only a signed-in person may, and signs out again.
 * @param email asked for when it is not given, as the password always is
 * @throws ApiError when the sign-in is refused
 */
export async function inSession<T>(
  cli: Cli,
  { url = cli.settings.url ?? DEFAULT_URL, email }: { url?: string; email?: string },
  use: (http: Http, me: Me) => Promise<T>,
): Promise<T> {
  const { io, userAgent, voice } = cli;
  const name = email ?? (await ask(io, 'E-mail: ')).trim();
  const password = await ask(io, 'Password: ', { hidden: true });
  const http = createHttp({ url, userAgent, ...troubleTold(voice) });
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
      voice.note(`The sign-out did not work (${error.message}); the session ends by itself.`);
    });
  }
}
