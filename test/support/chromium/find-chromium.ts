import { browserOfPlaywright, browserOnPath } from '#activities/runners/browser/find-browser.js';
import { cacheFolder } from '#tools/stack/paths.js';
import type { Log } from '#tools/stack/log.js';
import { isExecutable } from '#tools/stack/servers/on-path.js';
import { findDebianChromium, downloadDebianChromium } from './debian-chromium.js';

export interface FoundChromium {
  path: string;
  origin: string;
  /** Additional environment variables of its process. */
  env?: Record<string, string>;
}

const VARIABLES = ['CHROMIUM', 'CHROME_BIN'];

/** Replaceable in tests. */
export interface ChromiumWays {
  playwright(): string | undefined;
  find(cache: string, log: Log): Promise<FoundChromium | undefined>;
  get(cache: string, log: Log): Promise<FoundChromium>;
}

const WAYS: ChromiumWays = {
  playwright: () => browserOfPlaywright('chromium')?.path,
  find: findDebianChromium,
  get: downloadDebianChromium,
};

/**
 * Finds or downloads Chromium. In this order: CHROMIUM or CHROME_BIN, PATH, Playwright's download, Debian's package.
 * @throws Error when a variable is not an executable; NotPossibleError when none is available
 */
export async function findChromium(
  log: Log,
  env: NodeJS.ProcessEnv = process.env,
  ways: ChromiumWays = WAYS,
): Promise<FoundChromium> {
  const variable = VARIABLES.find((name) => env[name]);
  if (variable) {
    const path = env[variable]!;
    if (!isExecutable(path)) throw new Error(`${variable} is not an executable file: ${path}`);
    return { path, origin: variable };
  }
  const installed = browserOnPath('chromium', env);
  if (installed) return installed;
  const downloaded = ways.playwright();
  if (downloaded) return { path: downloaded, origin: 'playwright’s download' };
  const cache = cacheFolder(env);
  return (await ways.find(cache, log)) ?? (await ways.get(cache, log));
}
