import { setTimeout as sleep } from 'node:timers/promises';
import { errors, type Locator, type Page } from 'playwright-core';
import { finderOf } from '#src/domain/browser-test/locator.js';
import type { Expectation } from '#src/domain/browser-test/steps.js';
import { quoted } from '#src/domain/browser-test/step-title.js';
import { isAt } from './addresses.js';
import { expectOne } from './explain.js';
import { locate } from './locate.js';
import { StepFailure } from './step-failure.js';

/** Between two looks at the page. */
const POLL_MS = [20, 50, 100, 100, 250];
/** For an element that was there a moment ago. */
const READ = { timeout: 1000 };
const NOT_THERE = 'no element on the page matches.';

/** What is seen in place of what is expected; undefined: it is as expected. */
type Seen = string | undefined;

/** Waits until it is as expected. @param timeoutMs in ms; 0 looks once @throws StepFailure with what was seen instead */
export async function expectThat(
  page: () => Page,
  expectation: Expectation,
  options: { baseUrl: string | undefined; timeoutMs: number },
): Promise<void> {
  const deadline = performance.now() + options.timeoutMs;
  for (let looks = 0; ; looks++) {
    const seen = await look(page(), expectation, options.baseUrl);
    if (seen === undefined) return;
    const pause = POLL_MS[Math.min(looks, POLL_MS.length - 1)]!;
    if (performance.now() + pause > deadline) {
      await explainMissing(page(), expectation);
      throw new StepFailure(seen);
    }
    await sleep(pause);
  }
}

/** For an element that is not there, or more than once, what helps is what there is. @throws StepFailure */
async function explainMissing(page: Page, expectation: Expectation): Promise<void> {
  if (finderOf(expectation) && !expectation.hidden && expectation.count === undefined)
    await expectOne(locate(page, expectation), page, expectation);
}

async function look(page: Page, expectation: Expectation, baseUrl: string | undefined): Promise<Seen> {
  const { url } = expectation;
  if (url !== undefined && !isAt(page.url(), url, baseUrl)) return `the URL is ${page.url()}.`;
  if (!finderOf(expectation)) return undefined;
  const found = locate(page, expectation);
  try {
    if (expectation.count !== undefined) return compareCount(await found.count(), expectation.count);
    if (expectation.hidden)
      return (await found.filter({ visible: true }).count()) > 0 ? 'the element is still visible.' : undefined;
    return await lookAtOne(found, expectation);
  } catch (error) {
    return seenIn(error as Error);
  }
}

/**
 * Asks in Playwright's own world of the page, where clicks look for their elements too: `evaluateAll` would make a second one,
 * which costs every page some 50 ms. @throws Playwright's errors
 */
async function lookAtOne(found: Locator, expectation: Expectation): Promise<Seen> {
  const { value, checked, enabled, attribute } = expectation;
  const text = finderOf(expectation) === 'text' ? undefined : expectation.text;
  const isAsked = [text, value, checked, enabled, attribute].some((one) => one !== undefined);
  if ((expectation.visible || !isAsked) && !(await found.isVisible())) return 'the element exists but is hidden.';
  if (!isAsked) return undefined;
  // What is read below waits for its element.
  if ((await found.count()) === 0) return NOT_THERE;
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

/** What Playwright's refusal tells of the page. @throws all others */
function seenIn(error: Error): Seen {
  const several = /strict mode violation: .* resolved to (\d+) elements/.exec(error.message)?.[1];
  if (several) return `${several} elements match.`;
  if (error instanceof errors.TimeoutError) return NOT_THERE;
  if (/Node is not an <input>/.test(error.message)) return 'the element has no value.';
  if (/Not a checkbox or radio button/.test(error.message))
    return 'the element is neither a checkbox nor a radio button.';
  throw error;
}

/** Elements of drawings have no inner text. */
function textOf(found: Locator): Promise<string> {
  return found.innerText(READ).catch(async (error: Error) => {
    if (!/not an HTMLElement/.test(error.message)) throw error;
    return (await found.textContent(READ)) ?? '';
  });
}

const compareCount = (count: number, wanted: number): Seen =>
  count === wanted ? undefined : `${count} ${count === 1 ? 'element matches' : 'elements match'}.`;

function compareText(seen: string, text: string, exact: boolean | undefined): Seen {
  const [shown, wanted] = [spaced(seen), spaced(text)];
  return (exact ? shown === wanted : shown.includes(wanted)) ? undefined : `the text is ${quoted(shortened(shown))}.`;
}

const compareValue = (seen: string, wanted: string): Seen =>
  seen === wanted ? undefined : `the value is ${quoted(shortened(seen))}.`;

function compareAttribute(seen: string | null, { name, value }: NonNullable<Expectation['attribute']>): Seen {
  if (seen === null) return `the element has no attribute ${name}.`;
  return value === undefined || seen === value ? undefined : `the attribute ${name} is ${quoted(shortened(seen))}.`;
}

/** As people see it: white space does not count. */
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
const shortened = (text: string) => (text.length > 300 ? `${text.slice(0, 299)}…` : text);
