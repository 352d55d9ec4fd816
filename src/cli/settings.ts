import { UsageError } from './cli-error.js';
import { readConfig, type StoredConfig } from './config-file.js';
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
  /** Name, slug or id. */
  project?: string;
}

/** Where a server is when nobody says so: as `npm start` has it. */
export const DEFAULT_URL = 'http://127.0.0.1:4000';

/** Flags, then the environment, then the config file. @throws UsageError when one is malformed */
export async function readSettings(env: Io['env'], flags: ConnectionOptions): Promise<Settings> {
  const fromEnv: StoredConfig = { url: env.RUNHOOK_URL, token: env.RUNHOOK_API_TOKEN, project: env.RUNHOOK_PROJECT };
  const fromFile = await readConfig(env);
  const pick = (key: keyof StoredConfig, flag: string | undefined) =>
    flag?.trim() || fromEnv[key]?.trim() || fromFile[key] || undefined;
  const url = pick('url', flags.url);
  const token = pick('token', flags.apiToken);
  return { url: url && checkedUrl(url), token: token && checkedToken(token), project: pick('project', flags.project) };
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
