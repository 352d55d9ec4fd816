import { errors } from 'playwright-core';
import type { Attempt } from '#activities/runners/runner.js';
import { firstLine } from './explain.js';
import type { Session } from './session.js';

const PICTURE_MS = 3000;

/**
 * Keeps a picture of what a person would see. Never rejects: that there is none is said in the log.
 * @returns its name
 */
export async function takePicture(
  { page }: Pick<Session, 'page'>,
  { artifacts, log }: Pick<Attempt, 'artifacts'> & Partial<Pick<Attempt, 'log'>>,
  name: string,
): Promise<string | undefined> {
  try {
    const content = await page().screenshot({ timeout: PICTURE_MS, animations: 'allow', caret: 'initial' });
    return (await artifacts.add({ name, contentType: 'image/png', content })) ? name : undefined;
  } catch (error) {
    const why = error instanceof errors.TimeoutError ? 'the page did not respond' : firstLine((error as Error).message);
    await log?.write('system', `Screenshot ${name} not taken: ${why}.\n`);
    return undefined;
  }
}
