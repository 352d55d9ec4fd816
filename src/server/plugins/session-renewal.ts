import type { Plugin } from '@hapi/hapi';
import { sessionCookie, SESSION_COOKIES } from '../session-cookie.js';
import type { SignInSettings } from '../sign-in-cookies.js';

/** A session's end moves on while it is used; the browser's cookie, now and then, with it. */
export const sessionRenewal: Plugin<SignInSettings> = {
  name: 'session-renewal',
  register(server, { publicUrl, sessionMs }) {
    const { name, options } = sessionCookie(publicUrl, sessionMs);
    server.ext('onPostAuth', (request, h) => {
      const session = SESSION_COOKIES.map((one) => request.state[one] as unknown).find((value) => value !== undefined);
      if (request.app.principal?.renewsCookie && typeof session === 'string') h.state(name, session, options);
      return h.continue;
    });
  },
};
