import { browserOfPlaywright, browserOnPath } from '#activities/runners/browser/find-browser.js';
import { cacheFolder } from '#tools/stack/paths.js';
import type { Say } from '#tools/stack/say.js';
import { isExecutable } from '#tools/stack/servers/on-path.js';
import { findDebianChromium, getDebianChromium } from './debian-chromium.js';

export interface FoundChromium {
  path: string;
  origin: string;
  /** What its process needs beside ours. */
  env?: Record<string, string>;
}

const VARIABLES = ['CHROMIUM', 'CHROME_BIN'];

/** Its ways, for tests. */
export interface ChromiumWays {
  playwright(): string | undefined;
  find(cache: string, say: Say): Promise<FoundChromium | undefined>;
  get(cache: string, say: Say): Promise<FoundChromium>;
}

const WAYS: ChromiumWays = {
  playwright: () => browserOfPlaywright('chromium')?.path,
  find: findDebianChromium,
  get: getDebianChromium,
};

/**
 * Finds or gets a Chromium: CHROMIUM or CHROME_BIN, one on PATH, the one that playwright has downloaded, Debian's
 * package in our cache folder (it is fetched when it is not there).
 * @throws Error when a variable names no executable; NotPossibleError when there is none and none can be fetched
 */
export async function findChromium(
  say: Say,
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
  return (await ways.find(cache, say)) ?? (await ways.get(cache, say));
}
