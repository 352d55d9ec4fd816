import { UsageError } from './cli-error.js';
import { readConfig, type ConfigKey, type StoredConfig } from './config-file.js';
import type { Io } from './io.js';

/** Options that every command that talks to a server has. */
export interface ConnectionOptions {
  url?: string;
  apiToken?: string;
  project?: string;
}

export interface Settings {
  /** Without a slash at the end. */
  url?: string;
  token?: string;
  /** Address of the server that the stored token is for, where it is not `url`: the token is not sent. */
  tokenIsFor?: string;
  /** Name, slug or id. */
  project?: string;
}

/** Where a server is when nobody says so: as `npm start` has it. */
export const DEFAULT_URL = 'http://127.0.0.1:4000';

/**
 * Flags, then the environment, then the config file. The token of the file is for the server that it was made for: an
 * address from elsewhere does not get it.
 * @throws UsageError when one is malformed
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

/** Address of the server that a stored token was made for. */
export function tokenUrlOf({ tokenUrl, url }: StoredConfig): string {
  return tokenUrl ?? url ?? DEFAULT_URL;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** The base of a server's address. @throws UsageError */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`"${text}" is no address of a Runhook server; it looks like https://runhook.example.com`);
  if (url.username || url.password)
    throw new UsageError('The address must hold no name and password; use an API token.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
}

/** @throws UsageError that does not repeat it */
export function checkedToken(text: string): string {
  const token = text.trim();
  if (/^rhwh_/.test(token))
    throw new UsageError('This is a webhook token (rhwh_…). The command needs an API token (rhat_…): runhook login');
  if (!/^rhat_[0-9A-Za-z]+$/.test(token)) throw new UsageError('This is no API token: one begins with rhat_');
  return token;
}
