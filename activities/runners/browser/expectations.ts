import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { finderOf } from '../../../src/domain/browser-locator.js';
import type { Expectation } from '../../../src/domain/browser-steps.js';
import { quoted } from '../../../src/domain/browser-step-title.js';
import { isAt } from './addresses.js';
import { expectOne } from './explain.js';
import { locate } from './locate.js';
import { StepFailure } from './step-failure.js';

/** Between two looks at the page. */
const POLL_MS = [20, 50, 100, 100, 250];

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
  const attribute = expectation.attribute?.name;
  const { count, visible, first } = await locate(page, expectation).evaluateAll(seeElements, attribute);
  if (expectation.count !== undefined)
    return count === expectation.count ? undefined : `there ${count === 1 ? 'is 1' : `are ${count}`}.`;
  if (expectation.hidden) return visible > 0 ? 'it is still visible.' : undefined;
  if (!first) return 'there is no such element on the page.';
  return count > 1 ? `${count} elements match.` : compare(expectation, first, visible > 0);
}

interface SeenElement {
  text: string;
  value: string | undefined;
  checked: boolean;
  enabled: boolean;
  /** The one that is asked for; null: it has none. */
  attribute: string | null;
}

/**
 * In the page, in one go: what can be asked of the elements that match. Visible is what Playwright calls so. Without functions
 * in it: tsx gives those a helper that the page does not have.
 */
function seeElements(
  elements: Element[],
  attribute: string | undefined,
): { count: number; visible: number; first: SeenElement | undefined } {
  let visible = 0;
  for (const element of elements) {
    const { width, height } = element.getBoundingClientRect();
    if (width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible') visible++;
  }
  const first = elements[0] as HTMLInputElement | undefined;
  return {
    count: elements.length,
    visible,
    first: first && {
      text: first.innerText ?? first.textContent ?? '',
      value: typeof first.value === 'string' ? first.value : undefined,
      checked: first.checked ?? first.getAttribute('aria-checked') === 'true',
      enabled: !first.matches(':disabled') && !first.closest('[aria-disabled="true"]'),
      attribute: attribute === undefined ? null : first.getAttribute(attribute),
    },
  };
}

function compare(expectation: Expectation, seen: SeenElement, isVisible: boolean): Seen {
  const { value, checked, enabled, attribute, exact } = expectation;
  const text = finderOf(expectation) === 'text' ? undefined : expectation.text;
  const isAsked = [text, value, checked, enabled, attribute].some((one) => one !== undefined);
  if ((expectation.visible || !isAsked) && !isVisible) return 'it is there, but hidden.';
  if (text !== undefined) {
    const [shown, wanted] = [spaced(seen.text), spaced(text)];
    if (exact ? shown !== wanted : !shown.includes(wanted)) return `it shows ${quoted(shortened(shown))}.`;
  }
  if (value !== undefined && seen.value !== value)
    return seen.value === undefined ? 'it has no value.' : `its value is ${quoted(shortened(seen.value))}.`;
  if (checked !== undefined && seen.checked !== checked) return checked ? 'it is not checked.' : 'it is checked.';
  if (enabled !== undefined && seen.enabled !== enabled) return enabled ? 'it is disabled.' : 'it is enabled.';
  if (!attribute) return undefined;
  if (seen.attribute === null) return `it has no attribute ${attribute.name}.`;
  return attribute.value === undefined || seen.attribute === attribute.value
    ? undefined
    : `its attribute ${attribute.name} is ${quoted(shortened(seen.attribute))}.`;
}

/** As people see it: white space does not count. */
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
const shortened = (text: string) => (text.length > 300 ? `${text.slice(0, 299)}…` : text);
