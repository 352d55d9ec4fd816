import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of oidc-provider, which has no types, that is used here. */
interface ProviderModule {
  default: new (issuer: string, configuration: object) => { callback(): Parameters<typeof createServer>[1] };
}

export interface OidcAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  /** Claims by user name. */
  accounts: Map<string, OidcAccount>;
  /** Follows the authorization URL through both pages of the provider. @returns the final URL */
  signIn(authorizationUrl: string, login: string): Promise<string>;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'runhook', secret: 'a-secret-of-the-client-of-32-characters' };

/** A real OpenID Connect provider on a port of its own. */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const name = 'oidc-provider';
  const { default: Provider } = (await import(name)) as ProviderModule;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, OidcAccount>();
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['keys of a test'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
  });
  server.on('request', provider.callback()!);
  return {
    issuer,
    accounts,
    signIn: (url, login) => throughPages(issuer, url, login),
    stop: () => stop(server),
  };
}

async function throughPages(issuer: string, authorizationUrl: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = authorizationUrl;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step++) {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html' },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value) jar.set(key!, value);
      else jar.delete(key!);
    }
    const page = await answer.text();
    const location = answer.headers.get('location');
    form = undefined;
    if (location) {
      url = new URL(location, url).href;
      if (!url.startsWith(issuer)) return url;
    } else {
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      const action = /action="([^"]+)"/.exec(page)?.[1];
      if (!prompt || !action) throw new Error(`The provider answered ${answer.status}: ${page.slice(0, 500)}`);
      url = new URL(action, url).href;
      form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) });
    }
  }
  throw new Error('The provider has led in a circle');
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
