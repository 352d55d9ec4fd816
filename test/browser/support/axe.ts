import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/**
 * axe-core's findings on the current page, one line per rule. The page's policy allows no foreign scripts, so axe is
 * injected by the debugger.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE);
  const { violations } = (await page.evaluate(
    (options) => (globalThis as unknown as { axe: { run(options: unknown): Promise<unknown> } }).axe.run(options),
    OPTIONS,
  )) as AxeResults;
  return violations.map(({ id, nodes }) => {
    const [{ target, failureSummary = '' }] = nodes as [(typeof nodes)[number]];
    return `${id} (${nodes.length} times): ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`;
  });
}
