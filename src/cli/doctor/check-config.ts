import { stat } from 'node:fs/promises';
import type { Check } from '#src/domain/check.js';
import { configPath } from '#src/cli/config-file.js';
import type { Cli } from '#src/cli/cli.js';
import { DEFAULT_URL } from '#src/cli/settings.js';

const OTHERS_RIGHTS = 0o077;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Checks the config file's permissions and the server URL. */
export async function checkConfig({ io, settings }: Cli): Promise<Check[]> {
  const path = configPath(io.env);
  const found = await stat(path).catch(() => undefined);
  const file: Check = !found
    ? { level: 'ok', name: 'Config file', message: `none (${path})` }
    : found.mode & OTHERS_RIGHTS
      ? { level: 'warn', name: 'Config file', message: `other users can read ${path}`, remedy: `chmod 600 ${path}` }
      : { level: 'ok', name: 'Config file', message: path };
  return [file, ...checkUrl(settings.url)];
}

function checkUrl(url: string | undefined): Check[] {
  const name = 'Server URL';
  if (!url) {
    const remedy = 'Set RUNHOOK_URL, or run `runhook login`.';
    return [{ level: 'warn', name, message: `not set, using ${DEFAULT_URL}`, remedy }];
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return [{ level: 'ok', name, message: url }];
  const remedy = 'Use https. Otherwise the token can be intercepted.';
  return [{ level: 'warn', name, message: `${url} is not encrypted`, remedy }];
}
