import { UsageError } from './cli-error.js';
import { readConfig, type ConfigKey, type StoredConfig } from './config-file.js';
import type { Io } from './io.js';

/** Options of commands that use a server. */
export interface ConnectionOptions {
  url?: string;
  apiToken?: string;
  project?: string;
}

export interface Settings {
  /** Without a trailing slash. */
  url?: string;
  token?: string;
  /** URL of the server that the stored token is for, if it is not `url`: then the token is not sent. */
  tokenIsFor?: string;
  /** Name, slug or ID. */
  project?: string;
}

/** The default of `npm start`. */
export const DEFAULT_URL = 'http://127.0.0.1:4000';

/**
 * Reads flags, then the environment, then the config file. The token of the file is only sent to the server that issued
 * it.
 * @throws UsageError when a setting is malformed
 */
export async function readSettings(env: Io['env'], flags: ConnectionOptions): Promise<Settings> {
  const fromEnv: StoredConfig = { url: env.RUNHOOK_URL, token: env.RUNHOOK_API_TOKEN, project: env.RUNHOOK_PROJECT };
  const fromFile = await readConfig(env);
  const given = (key: ConfigKey, flag: string | undefined) => flag?.trim() || fromEnv[key]?.trim() || undefined;
  const url = given('url', flags.url) ?? fromFile.url;
  const settings = { url: url && checkedUrl(url), project: given('project', flags.project) ?? fromFile.project };
  const token = given('token', flags.apiToken);
  if (token) return { ...settings, token: checkedToken(token) };
  if (!fromFile.token) return settings;
  const tokenIsFor = tokenUrlOf(fromFile);
  const isSameServer = originOf(tokenIsFor) === originOf(settings.url ?? DEFAULT_URL);
  return { ...settings, ...(isSameServer ? { token: checkedToken(fromFile.token) } : { tokenIsFor }) };
}

/** URL of the server that issued a stored token. */
export function tokenUrlOf({ tokenUrl, url }: StoredConfig): string {
  return tokenUrl ?? url ?? DEFAULT_URL;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** The base URL of a server. @throws UsageError */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`"${text}" is not a server URL. Use a URL such as https://runhook.example.com`);
  if (url.username || url.password)
    throw new UsageError('The server URL must not contain a user name or password. Use an API token.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
}

/** @throws UsageError, which does not contain the token */
export function checkedToken(text: string): string {
  const token = text.trim();
  if (/^rhwh_/.test(token))
    throw new UsageError(
      'This is a webhook token (rhwh_…), but an API token (rhat_…) is required. Run `runhook login`.',
    );
  if (!/^rhat_[0-9A-Za-z]+$/.test(token))
    throw new UsageError('This is not an API token. API tokens start with rhat_.');
  return token;
}
