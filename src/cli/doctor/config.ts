import { stat } from 'node:fs/promises';
import type { Check } from '../../domain/check.js';
import { configPath } from '../config-file.js';
import type { Cli } from '../cli.js';
import { DEFAULT_URL } from '../settings.js';

const OTHERS_RIGHTS = 0o077;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Where the settings come from, and whether they are safe. */
export async function checkConfig({ io, settings }: Cli): Promise<Check[]> {
  const path = configPath(io.env);
  const found = await stat(path).catch(() => undefined);
  const file: Check = !found
    ? { level: 'ok', name: 'Config file', message: `none (${path})` }
    : found.mode & OTHERS_RIGHTS
      ? { level: 'warn', name: 'Config file', message: `others can read ${path}`, remedy: `chmod 600 ${path}` }
      : { level: 'ok', name: 'Config file', message: path };
  return [file, ...checkUrl(settings.url)];
}

function checkUrl(url: string | undefined): Check[] {
  const name = 'Address';
  if (!url) {
    const remedy = 'Set RUNHOOK_URL, or: runhook login';
    return [{ level: 'warn', name, message: `not set; ${DEFAULT_URL} is tried`, remedy }];
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return [{ level: 'ok', name, message: url }];
  const remedy = 'Serve it by https: on the way everybody can read the token.';
  return [{ level: 'warn', name, message: `${url} is not encrypted`, remedy }];
}
