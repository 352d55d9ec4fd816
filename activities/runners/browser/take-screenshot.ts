import { errors } from 'playwright-core';
import type { Attempt } from '#activities/runners/runner.js';
import { firstLine } from './explain.js';
import type { Session } from './session.js';

const SCREENSHOT_MS = 3000;

/**
 * Saves a screenshot of the visible page. Never rejects; failures are logged.
 * @returns the artifact's name
 */
export async function takeScreenshot(
  { page }: Pick<Session, 'page'>,
  { artifacts, log }: Pick<Attempt, 'artifacts'> & Partial<Pick<Attempt, 'log'>>,
  name: string,
): Promise<string | undefined> {
  try {
    const content = await page().screenshot({ timeout: SCREENSHOT_MS, animations: 'allow', caret: 'initial' });
    return (await artifacts.add({ name, contentType: 'image/png', content })) ? name : undefined;
  } catch (error) {
    const why = error instanceof errors.TimeoutError ? 'the page did not respond' : firstLine((error as Error).message);
    await log?.write('system', `Screenshot ${name} not taken: ${why}.\n`);
    return undefined;
  }
}
