import { chromium, type Browser } from 'playwright-core';
import { logToStderr } from '#tools/stack/log.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import { findChromium } from '#test/support/chromium/find-chromium.js';

/** Renders the same on every machine. The sandbox protects from untrusted pages, and is not available for root. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none', '--disable-lcd-text'];

/**
 * Starts the browser that was found.
 * @param more additional variables of its environment
 * @throws NotPossibleError if there is none and none can be downloaded
 */
export async function launchBrowser(more: Record<string, string> = {}): Promise<Browser> {
  const { path, env } = await findChromium(logToStderr);
  return await chromium.launch({
    executablePath: path,
    args: ARGS,
    env: { ...(process.env as Record<string, string>), ...env, ...more },
  });
}

/** The same for tests: without a browser they are skipped with the reason; in CI, they fail. */
export async function browserFor(context: Mocha.Context): Promise<Browser> {
  try {
    return await launchBrowser();
  } catch (error) {
    if (!(error instanceof NotPossibleError) || process.env.CI) throw error;
    console.error(`
  Browser tests are SKIPPED: there is no Chromium, and none can be fetched (${error.message}).
  Put \`chromium\` on PATH, name one in CHROMIUM, or run: npx playwright-core install chromium
`);
    return context.skip();
  }
}
