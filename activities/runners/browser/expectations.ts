import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { finderOf } from '../../../src/domain/browser-locator.js';
import type { Expectation } from '../../../src/domain/browser-steps.js';
import { quoted } from '../../../src/domain/browser-step-title.js';
import { isAt } from './addresses.js';
import { expectOne } from './explain.js';
import { locate } from './locate.js';
import { StepFailure } from './step-failure.js';

/** Between two looks at the page. */
const POLL_MS = [20, 50, 100, 100, 250];
/** For one look at an element that was there a moment ago. */
const LOOK_MS = 2000;

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
  if (url !== undefined && !isAt(page.url(), url, baseUrl)) return `the address is ${page.url()}.`;
  if (!finderOf(expectation)) return undefined;
  const locator = locate(page, expectation);
  const count = await locator.count();
  if (expectation.count !== undefined)
    return count === expectation.count ? undefined : `there ${count === 1 ? 'is 1' : `are ${count}`}.`;
  if (expectation.hidden) return lookHidden(locator, count);
  if (count === 0) return 'there is no such element on the page.';
  if (count > 1) return `${count} elements match.`;
  try {
    return await lookAt(locator, expectation);
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return 'it comes and goes.';
    throw error;
  }
}

async function lookHidden(locator: Locator, count: number): Promise<Seen> {
  for (let index = 0; index < count; index++) if (await locator.nth(index).isVisible()) return 'it is still visible.';
  return undefined;
}

async function lookAt(locator: Locator, expectation: Expectation): Promise<Seen> {
  const { value, checked, enabled, attribute, exact } = expectation;
  const text = finderOf(expectation) === 'text' ? undefined : expectation.text;
  const isAsked = [text, value, checked, enabled, attribute].some((one) => one !== undefined);
  if ((expectation.visible || !isAsked) && !(await locator.isVisible())) return 'it is there, but hidden.';
  const timeout = { timeout: LOOK_MS };
  if (text !== undefined) {
    const [shown, wanted] = [spaced(await locator.innerText(timeout)), spaced(text)];
    if (exact ? shown !== wanted : !shown.includes(wanted)) return `it shows ${quoted(shortened(shown))}.`;
  }
  if (value !== undefined) {
    const actual = await locator.inputValue(timeout);
    if (actual !== value) return `its value is ${quoted(shortened(actual))}.`;
  }
  if (checked !== undefined && (await locator.isChecked(timeout)) !== checked)
    return checked ? 'it is not checked.' : 'it is checked.';
  if (enabled !== undefined && (await locator.isEnabled(timeout)) !== enabled)
    return enabled ? 'it is disabled.' : 'it is enabled.';
  return attribute ? lookAtAttribute(locator, attribute) : undefined;
}

async function lookAtAttribute(
  locator: Locator,
  { name, value }: NonNullable<Expectation['attribute']>,
): Promise<Seen> {
  const actual = await locator.getAttribute(name, { timeout: LOOK_MS });
  if (actual === null) return `it has no attribute ${name}.`;
  return value === undefined || actual === value ? undefined : `its attribute ${name} is ${quoted(shortened(actual))}.`;
}

/** As people see it: white space does not count. */
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
const shortened = (text: string) => (text.length > 300 ? `${text.slice(0, 299)}…` : text);
