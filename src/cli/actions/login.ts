import { hostname } from 'node:os';
import { text as readAll } from 'node:stream/consumers';
import { createHttp } from '#src/cli/api/http.js';
import { inSession } from '#src/cli/api/session.js';
import type { Me } from '#src/cli/api/responses.js';
import { ask } from '#src/cli/ask.js';
import { connectionReports, type Cli } from '#src/cli/cli.js';
import { configPath, readConfig, writeConfig } from '#src/cli/config-file.js';
import type { Action } from '#src/cli/commands/define.js';
import { createApiToken } from '#src/cli/find/find-token.js';
import { parseDuration } from '#src/cli/option-values.js';
import { checkedToken, checkedUrl, DEFAULT_URL } from '#src/cli/settings.js';

interface LoginOptions {
  email?: string;
  withToken?: boolean;
  /** Lifetime of a new token. */
  expires: string;
}

/** Everything the other commands need; withAdminScope tokens asks for the password. */
const LOGIN_SCOPES = ['read', 'run', 'edit'];

/** `runhook login`. */
export const login: Action<LoginOptions> = async (cli, options) => {
  const { io, output, settings } = cli;
  const url = options.url || options.withToken ? (settings.url ?? DEFAULT_URL) : await askUrl(cli);
  const token = await tokenFor(cli, url, options);
  const http = createHttp({ url, token, userAgent: cli.userAgent, ...connectionReports(output) });
  const me = await http.json<Me>({ path: '/me/' });
  await writeConfig(io.env, { ...(await readConfig(io.env)), url, token, tokenUrl: url });
  if (output.asJson) return output.json({ url, type: me.type, name: me.email ?? me.name, scopes: me.scopes });
  output.print(`Signed in to ${url} as ${me.email ?? me.name} (${me.scopes.join(', ')}).`);
  output.note(`Token saved in ${configPath(io.env)}`);
  for (const name of ['RUNHOOK_URL', 'RUNHOOK_API_TOKEN'])
    if (io.env[name]) output.warn(`${name} is set and overrides the saved configuration.`);
};

async function askUrl({ io, settings }: Cli): Promise<string> {
  const previous = settings.url ?? DEFAULT_URL;
  return checkedUrl((await ask(io, `Server URL [${previous}]: `)).trim() || previous);
}

async function tokenFor(cli: Cli, url: string, options: LoginOptions & { apiToken?: string }) {
  const { apiToken, withToken, email, expires } = options;
  if (apiToken) return checkedToken(apiToken);
  if (withToken) return checkedToken(await readAll(cli.io.stdin));
  const given = email
    ? ''
    : (await ask(cli.io, 'API token (leave empty to use email and password): ', { hidden: true })).trim();
  return given ? checkedToken(given) : createToken(cli, url, email, expires);
}

/** A personal token named after this machine, to recognize it in the list of tokens. */
async function createToken(cli: Cli, url: string, email: string | undefined, expires: string): Promise<string> {
  const lifetimeMs = expires === 'never' ? undefined : parseDuration(expires, '--expires');
  const name = `runhook on ${hostname()}`.slice(0, 100);
  const created = await inSession(cli, { url, email }, (http) =>
    createApiToken(http, '/me/tokens/', {
      name,
      scopes: LOGIN_SCOPES,
      expiresAt: lifetimeMs === undefined ? undefined : new Date(Date.now() + lifetimeMs).toISOString(),
    }),
  );
  return created.token;
}
