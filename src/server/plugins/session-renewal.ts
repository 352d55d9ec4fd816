import type { Plugin } from '@hapi/hapi';
import { sessionCookie } from '#src/server/session/session-cookie.js';
import type { SignInSettings } from '#src/server/session/sign-in-cookies.js';

/** Renews the cookie of a session that is used, at most daily. */
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
