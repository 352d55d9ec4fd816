import type { Plugin } from '@hapi/hapi';
import { sessionCookie } from '#src/server/session/session-cookie.js';
import type { SignInSettings } from '#src/server/session/sign-in-cookies.js';

/** Using a session extends it; its cookie is renewed now and then. */
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
