import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, firefox } from 'playwright-core';
import type { BrowserKind } from '#src/domain/browser-test/browser-test.js';

export interface FoundBrowser {
  path: string;
  /** How it was found, for display. */
  origin: string;
}

/** The browser is not installed on this worker. The verdict is `BROWSER_MISSING`. */
export class BrowserMissingError extends Error {
  override name = 'BrowserMissingError';
}

const NAMES: Record<BrowserKind, string[]> = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  // Other builds of Firefox do not support Playwright's protocol.
  firefox: [],
};

const HOW_TO_INSTALL: Record<BrowserKind, string> = {
  chromium:
    'Chromium is not installed on this worker. Install it (apt-get install chromium, or npx playwright-core install chromium), or set RUNHOOK_CHROMIUM to its path.',
  firefox:
    'Playwright’s Firefox is not installed on this worker (other builds of Firefox do not work with Playwright). Install it (npx playwright-core install firefox), or set RUNHOOK_FIREFOX to its path.',
};

/**
 * Finds the browser to use: the configured one, the one on PATH, or the one installed by Playwright.
 * @param configured value of RUNHOOK_CHROMIUM or RUNHOOK_FIREFOX
 * @throws BrowserMissingError with instructions
 */
export function findBrowser(kind: BrowserKind, configured: string | undefined, env: NodeJS.ProcessEnv): FoundBrowser {
  const variable = `RUNHOOK_${kind.toUpperCase()}`;
  if (configured !== undefined) {
    if (isExecutable(configured)) return { path: configured, origin: variable };
    throw new BrowserMissingError(
      `${variable} is not an executable file on this worker: ${configured}. Correct the path.`,
    );
  }
  const found = browserOnPath(kind, env) ?? browserOfPlaywright(kind);
  if (!found) throw new BrowserMissingError(HOW_TO_INSTALL[kind]);
  return found;
}

export function browserOnPath(kind: BrowserKind, env: NodeJS.ProcessEnv): FoundBrowser | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const path = NAMES[kind].flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  return path === undefined ? undefined : { path, origin: 'on PATH' };
}

/** The browser installed by `npx playwright-core install <kind>`. */
export function browserOfPlaywright(kind: BrowserKind): FoundBrowser | undefined {
  const path = { chromium, firefox }[kind].executablePath();
  return path && existsSync(path) ? { path, origin: 'playwright’s download' } : undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
