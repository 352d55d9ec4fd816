import type { Locator, Page } from 'playwright-core';
import { finderOf, type ElementLocator } from '#src/domain/browser-test/locator.js';
import { quoted, roleWords } from '#src/domain/browser-test/step-title.js';
import { within } from '#src/lib/within.js';
import { locate } from './locate.js';
import { similarTo } from './similar-to.js';
import { StepFailure } from './step-failure.js';

const LOOK_MS = 1000;
/** Total time for an explanation: less than the time after which a page counts as hung. */
const EXPLAIN_MS = 2500;

/** Explains why an action on an element failed. Never rejects. */
export async function explainAction(error: unknown, page: Page, locator: ElementLocator): Promise<string> {
  const text = error instanceof Error ? error.message : String(error);
  const known = explainPlaywrightError(text);
  if (known) return known;
  return within(EXPLAIN_MS, 'A look at the page', explainElement(text, page, locator)).catch(() => firstLine(text));
}

async function explainElement(text: string, page: Page, locator: ElementLocator): Promise<string> {
  const found = locate(page, locator);
  const count = await found.count();
  if (count === 0) return await noSuch(page, locator);
  if (count > 1) return several(found, count);
  const covering = /intercepts pointer events/.test(text) ? await whatCovers(found) : undefined;
  if (covering) return `the element is covered by ${covering}, which would receive the click.`;
  if (!(await found.isVisible())) return 'the element exists but is hidden.';
  if (await found.isDisabled({ timeout: LOOK_MS })) return 'the element is disabled.';
  if (/element is not editable/.test(text)) return 'the element is read-only.';
  if ('option' in locator) {
    const options = await optionsOf(found);
    if (!options.includes(String(locator.option)))
      return `the select box has no such option. Options: ${options.slice(0, 10).map(quoted).join(', ')}.`;
  }
  if (/element is not stable/.test(text)) return 'the element does not stop moving.';
  if (/outside of the viewport/.test(text))
    return 'the element is outside the viewport, and scrolling does not bring it into view.';
  return /Timeout \d+ms exceeded/.test(text) ? 'the element was not ready in time.' : firstLine(text);
}

/** Explains errors that do not depend on the page. */
function explainPlaywrightError(text: string): string | undefined {
  if (/Unexpected token|is not a valid selector|while parsing (css )?selector/i.test(text) && /selector/i.test(text))
    return `the CSS selector is not valid: ${firstLine(text)}`;
  if (/Element is not an <input>|not a checkbox or radio|not an? <select>|not an HTMLInputElement/i.test(text))
    return `the element does not support this action: ${firstLine(text)}.`;
  if (/Unknown key/.test(text))
    return `${firstLine(text)}. Valid keys are, for example, Enter, Escape, ArrowDown and Control+a.`;
  return undefined;
}

async function noSuch(page: Page, locator: ElementLocator): Promise<string> {
  const finder = finderOf(locator);
  const what =
    finder === 'role'
      ? roleWords(locator.role!)
      : finder === 'label'
        ? 'field'
        : finder === 'text'
          ? 'text'
          : 'element';
  return `no ${what} on the page matches.${await similarTo(page, locator)}`;
}

/** The number of matching elements, with examples. */
async function several(found: Locator, count: number): Promise<string> {
  const some = await Promise.all(
    Array.from({ length: Math.min(count, 3) }, (_, index) =>
      found.nth(index).evaluate(describeElement, undefined, { timeout: LOOK_MS }),
    ),
  );
  return `${count} elements match, such as ${some.join(', ')}. Specify one with within, nth or a more specific name.`;
}

/** @throws StepFailure unless exactly one element matches */
export async function expectOne(found: Locator, page: Page, locator: ElementLocator): Promise<void> {
  const count = await found.count();
  if (count === 0) throw new StepFailure(await noSuch(page, locator));
  if (count > 1) throw new StepFailure(await several(found, count));
}

async function whatCovers(found: Locator): Promise<string | undefined> {
  const top = await found.evaluateHandle(
    (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2);
    },
    undefined,
    { timeout: LOOK_MS },
  );
  const element = top.asElement();
  return element ? element.evaluate(describeElement) : undefined;
}

/** Runs in the page: `<div id="cookies"> “We value your privacy”`. */
function describeElement(element: Element | SVGElement | HTMLElement): string {
  const attributes = ['id', 'class', 'name', 'type', 'href']
    .map((name) => [name, element.getAttribute(name)] as const)
    .filter(([, value]) => value)
    .slice(0, 2)
    .map(([name, value]) => ` ${name}="${value!.slice(0, 60)}"`);
  const text = ((element as HTMLElement).innerText ?? '').replace(/\s+/g, ' ').trim();
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return `<${element.tagName.toLowerCase()}${attributes.join('')}>${shown ? ` “${shown}”` : ''}`;
}

/** Option labels of a select box; none for other elements. */
function optionsOf(found: Locator): Promise<string[]> {
  return found.evaluate(
    (element) => Array.from((element as HTMLSelectElement).options ?? [], (option) => option.label),
    undefined,
    { timeout: LOOK_MS },
  );
}

/** Errors that the browser reports when the proxy could not connect. */
const PROXY_FAILED = /EMPTY_RESPONSE|TUNNEL_CONNECTION_FAILED|NET_RESET|NET_INTERRUPT|PROXY/;

/** Explains why a page could not be opened. @param failure the system's error code of the failed connection */
export function explainGoto(error: unknown, address: string, timeoutMs: number, failure?: string): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = /net::(ERR_\w+)|(NS_ERROR_\w+)/.exec(text)?.[0] ?? '';
  const cause = PROXY_FAILED.test(code) ? (failure ?? '') : '';
  if (/CONNECTION_REFUSED/.test(code) || cause === 'ECONNREFUSED') return `${address} refused the connection.`;
  if (/NAME_NOT_RESOLVED|UNKNOWN_HOST/.test(code) || ['ENOTFOUND', 'EAI_AGAIN'].includes(cause))
    return `the host name in ${address} cannot be resolved from this worker.`;
  if (/TOO_MANY_REDIRECTS|REDIRECT_LOOP/.test(code)) return `${address} redirects too many times.`;
  if (/CERT|SSL|SEC_ERROR/.test(code)) return `the certificate of ${address} is not trusted (${code}).`;
  if (/ABORTED/.test(code)) return `${address} did not open: it is a download, or the page navigated to another URL.`;
  if (/Timeout \d+ms exceeded/.test(text)) return `${address} did not load within ${timeoutMs / 1000} s.`;
  return code ? `${address} cannot be opened (${cause || code}).` : firstLine(text);
}

/** The message of a Playwright error, without its call log. */
export function firstLine(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, '')
    .split('\n')[0]!
    .replace(/^Error: /, '')
    .slice(0, 500);
}
