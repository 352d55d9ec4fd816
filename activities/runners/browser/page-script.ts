import type { Page } from 'playwright-core';
import { firstLine } from './explain.js';
import { StepFailure } from './step-failure.js';

const LONGEST_RESULT = 100_000;

/**
 * Runs JavaScript in the page; it may `await`, and `return` something.
 * @returns the result as text: text as it is, nothing as "", all else as JSON
 * @throws StepFailure when it throws
 */
export async function runInPage(page: Page, script: string): Promise<string> {
  const result: unknown = await page.evaluate(`(async () => {\n${script}\n})()`).catch((error: Error) => {
    throw new StepFailure(`the JavaScript failed: ${firstLine(error.message)}`);
  });
  const text = typeof result === 'string' ? result : result === undefined ? '' : (JSON.stringify(result) ?? '');
  return text.slice(0, LONGEST_RESULT);
}
