import type { Page } from 'playwright-core';
import { firstLine } from './explain.js';
import { StepFailure } from './step-failure.js';

const MAX_RESULT_LENGTH = 100_000;

/**
 * Runs JavaScript in the page, as the body of an async function.
 * @returns the result: text unchanged, undefined as "", everything else as JSON
 * @throws StepFailure if it throws
 */
export async function runInPage(page: Page, script: string): Promise<string> {
  const result: unknown = await page.evaluate(`(async () => {\n${script}\n})()`).catch((error: Error) => {
    throw new StepFailure(`the JavaScript failed: ${firstLine(error.message)}`);
  });
  const text = typeof result === 'string' ? result : result === undefined ? '' : (JSON.stringify(result) ?? '');
  return text.slice(0, MAX_RESULT_LENGTH);
}
