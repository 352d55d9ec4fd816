import { setTimeout as sleep } from 'node:timers/promises';
import { errors, type Locator, type Page } from 'playwright-core';
import { finderOf } from '#src/domain/browser-test/locator.js';
import type { Expectation } from '#src/domain/browser-test/steps.js';
import { quoted } from '#src/domain/browser-test/step-title.js';
import { matchesUrl } from './urls.js';
import { expectOne } from './explain.js';
import { locate } from './locate.js';
import { StepFailure } from './step-failure.js';

/** Intervals between checks of the page, in ms. */
const POLL_MS = [20, 50, 100, 100, 250];
/** For elements that existed a moment ago. */
const READ = { timeout: 1000 };
const NO_MATCH = 'no element on the page matches.';

/** The difference to the expectation; undefined if it is met. */
type Mismatch = string | undefined;

/** Waits until an expectation is met. @param timeoutMs in ms; 0 checks once @throws StepFailure with the mismatch */
export async function expectThat(
  page: () => Page,
  expectation: Expectation,
  options: { baseUrl: string | undefined; timeoutMs: number },
): Promise<void> {
  const deadline = performance.now() + options.timeoutMs;
  for (let checks = 0; ; checks++) {
    const mismatch = await check(page(), expectation, options.baseUrl);
    if (mismatch === undefined) return;
    const pause = POLL_MS[Math.min(checks, POLL_MS.length - 1)]!;
    if (performance.now() + pause > deadline) {
      await explainMissing(page(), expectation);
      throw new StepFailure(mismatch);
    }
    await sleep(pause);
  }
}

/** Reports similar elements if none or several match. @throws StepFailure */
async function explainMissing(page: Page, expectation: Expectation): Promise<void> {
  if (finderOf(expectation) && !expectation.hidden && expectation.count === undefined)
    await expectOne(locate(page, expectation), page, expectation);
}

async function check(page: Page, expectation: Expectation, baseUrl: string | undefined): Promise<Mismatch> {
  const { url } = expectation;
  if (url !== undefined && !matchesUrl(page.url(), url, baseUrl)) return `the URL is ${page.url()}.`;
  if (!finderOf(expectation)) return undefined;
  const found = locate(page, expectation);
  try {
    if (expectation.count !== undefined) return compareCount(await found.count(), expectation.count);
    if (expectation.hidden)
      return (await found.filter({ visible: true }).count()) > 0 ? 'the element is still visible.' : undefined;
    return await checkElement(found, expectation);
  } catch (error) {
    return mismatchOf(error as Error);
  }
}

/**
 * Uses Playwright's utility world of the page, like clicks do: `evaluateAll` would create a second one, which costs
 * every page about 50 ms. @throws Playwright's errors
 */
async function checkElement(found: Locator, expectation: Expectation): Promise<Mismatch> {
  const { value, checked, enabled, attribute } = expectation;
  const text = finderOf(expectation) === 'text' ? undefined : expectation.text;
  const checksProperties = [text, value, checked, enabled, attribute].some((one) => one !== undefined);
  if ((expectation.visible || !checksProperties) && !(await found.isVisible()))
    return 'the element exists but is hidden.';
  if (!checksProperties) return undefined;
  // The calls below would wait for the element.
  if ((await found.count()) === 0) return NO_MATCH;
  return (
    (text === undefined ? undefined : compareText(await textOf(found), text, expectation.exact)) ??
    (value === undefined ? undefined : compareValue(await found.inputValue(READ), value)) ??
    (checked === undefined || (await found.isChecked(READ)) === checked
      ? undefined
      : `the element is ${checked ? 'not ' : ''}checked.`) ??
    (enabled === undefined || (await found.isEnabled(READ)) === enabled
      ? undefined
      : `the element is ${enabled ? 'disabled' : 'enabled'}.`) ??
    (attribute && compareAttribute(await found.getAttribute(attribute.name, READ), attribute))
  );
}

/** Translates Playwright's errors about the page. @throws all other errors */
function mismatchOf(error: Error): Mismatch {
  const several = /strict mode violation: .* resolved to (\d+) elements/.exec(error.message)?.[1];
  if (several) return `${several} elements match.`;
  if (error instanceof errors.TimeoutError) return NO_MATCH;
  if (/Node is not an <input>/.test(error.message)) return 'the element has no value.';
  if (/Not a checkbox or radio button/.test(error.message))
    return 'the element is neither a checkbox nor a radio button.';
  throw error;
}

/** SVG elements have no inner text. */
function textOf(found: Locator): Promise<string> {
  return found.innerText(READ).catch(async (error: Error) => {
    if (!/not an HTMLElement/.test(error.message)) throw error;
    return (await found.textContent(READ)) ?? '';
  });
}

const compareCount = (count: number, expected: number): Mismatch =>
  count === expected ? undefined : `${count} ${count === 1 ? 'element matches' : 'elements match'}.`;

function compareText(seen: string, text: string, exact: boolean | undefined): Mismatch {
  const [actual, expected] = [normalized(seen), normalized(text)];
  return (exact ? actual === expected : actual.includes(expected))
    ? undefined
    : `the text is ${quoted(shortened(actual))}.`;
}

const compareValue = (seen: string, expected: string): Mismatch =>
  seen === expected ? undefined : `the value is ${quoted(shortened(seen))}.`;

function compareAttribute(seen: string | null, { name, value }: NonNullable<Expectation['attribute']>): Mismatch {
  if (seen === null) return `the element has no attribute ${name}.`;
  return value === undefined || seen === value ? undefined : `the attribute ${name} is ${quoted(shortened(seen))}.`;
}

/** Text as displayed, with white space collapsed. */
const normalized = (text: string) => text.replace(/\s+/g, ' ').trim();
const shortened = (text: string) => (text.length > 300 ? `${text.slice(0, 299)}…` : text);
