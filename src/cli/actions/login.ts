import { hostname } from 'node:os';
import { text as readAll } from 'node:stream/consumers';
import { createHttp } from '../api/http.js';
import { inSession } from '../api/session.js';
import type { Me } from '../api/shapes.js';
import { ask } from '../ask.js';
import { troubleTold, type Cli } from '../cli.js';
import { configPath, readConfig, writeConfig } from '../config-file.js';
import type { Action } from '../commands/define.js';
import { makeApiToken } from '../find/token.js';
import { parseDuration } from '../option-values.js';
import { checkedToken, checkedUrl, DEFAULT_URL } from '../settings.js';

interface LoginOptions {
  email?: string;
  withToken?: boolean;
  /** Lifetime of a new token. */
  expires: string;
}

/** All that the other commands need; managing tokens asks for the password. */
const LOGIN_SCOPES = ['read', 'run', 'edit'];

/** `runhook login`. */
export const login: Action<LoginOptions> = async (cli, options) => {
  const { io, voice, settings } = cli;
  const url = options.url || options.withToken ? (settings.url ?? DEFAULT_URL) : await askUrl(cli);
  const token = await tokenFor(cli, url, options);
  const http = createHttp({ url, token, userAgent: cli.userAgent, ...troubleTold(voice) });
  const me = await http.json<Me>({ path: '/me/' });
  await writeConfig(io.env, { ...(await readConfig(io.env)), url, token, tokenUrl: url });
  if (voice.asJson) return voice.json({ url, type: me.type, name: me.email ?? me.name, scopes: me.scopes });
  voice.print(`Signed in at ${url} as ${me.email ?? me.name} (${me.scopes.join(', ')}).`);
  voice.note(`The token is kept in ${configPath(io.env)}`);
  for (const name of ['RUNHOOK_URL', 'RUNHOOK_API_TOKEN'])
    if (io.env[name]) voice.warn(`${name} is set and goes before what is kept.`);
};

async function askUrl({ io, settings }: Cli): Promise<string> {
  const before = settings.url ?? DEFAULT_URL;
  return checkedUrl((await ask(io, `Address of the server [${before}]: `)).trim() || before);
}

async function tokenFor(cli: Cli, url: string, options: LoginOptions & { apiToken?: string }) {
  const { apiToken, withToken, email, expires } = options;
  if (apiToken) return checkedToken(apiToken);
  if (withToken) return checkedToken(await readAll(cli.io.stdin));
  const given = email ? '' : (await ask(cli.io, 'API token (empty: e-mail and password): ', { hidden: true })).trim();
  return given ? checkedToken(given) : makeToken(cli, url, email, expires);
}

/** A personal token named for this machine, so that one sees in the list of tokens whose it is. */
async function makeToken(cli: Cli, url: string, email: string | undefined, expires: string): Promise<string> {
  const lifetimeMs = expires === 'never' ? undefined : parseDuration(expires, '--expires');
  const name = `runhook on ${hostname()}`.slice(0, 100);
  const made = await inSession(cli, { url, email }, (http) =>
    makeApiToken(http, '/me/tokens/', {
      name,
      scopes: LOGIN_SCOPES,
      ...(lifetimeMs === undefined ? {} : { expiresAt: new Date(Date.now() + lifetimeMs).toISOString() }),
    }),
  );
  return made.token;
}
