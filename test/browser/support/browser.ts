import { chromium, type Browser } from 'playwright-core';
import { sayOnStderr } from '#tools/stack/say.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import { findChromium } from '#test/support/chromium/find-chromium.js';

/** Everything looks the same wherever it is drawn. The sandbox is for pages of strangers, and not to be had as root. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none', '--disable-lcd-text'];

/**
 * The browser that was found, started.
 * @param more variables of its environment
 * @throws NotPossibleError when there is none and none can be fetched
 */
export async function launchBrowser(more: Record<string, string> = {}): Promise<Browser> {
  const { path, env } = await findChromium(sayOnStderr);
  return await chromium.launch({
    executablePath: path,
    args: ARGS,
    env: { ...(process.env as Record<string, string>), ...env, ...more },
  });
}

/** The same for tests: without a browser they are skipped, and say why; in CI that is a failure. */
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
