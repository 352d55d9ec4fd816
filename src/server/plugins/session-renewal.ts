import type { Plugin } from '@hapi/hapi';
import { sessionCookie } from '../session-cookie.js';
import type { SignInSettings } from '../sign-in-cookies.js';

/** A session's end moves on while it is used; the browser's cookie, now and then, with it. */
export const sessionRenewal: Plugin<SignInSettings> = {
  name: 'session-renewal',
  register(server, { publicUrl, sessionMs }) {
    const { name, options } = sessionCookie(publicUrl, sessionMs);
    server.ext('onPostAuth', (request, h) => {
      const session = request.state[name] as unknown;
      if (request.app.principal?.renewsCookie && typeof session === 'string') h.state(name, session, options);
      return h.continue;
    });
  },
};
