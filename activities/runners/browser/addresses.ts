import { StepFailure } from './step-failure.js';

const ALLOWED = /^(https?|about|blob|data|chrome-error):/i;

/** Whether a page may be there: not at the worker's files, nor at the browser's own pages. */
export function isAllowedAddress(url: string): boolean {
  return url === '' || ALLOWED.test(url);
}

/**
 * What a `goto` opens.
 * @throws StepFailure for an address that no test may open, or a relative one without a base
 */
export function addressToOpen(address: string, baseUrl: string | undefined): string {
  if (address === 'about:blank') return address;
  if (!URL.canParse(address, baseUrl))
    throw new StepFailure(
      baseUrl === undefined
        ? `“${address}” is a relative URL, and the test has no baseUrl. Set baseUrl, or use an absolute URL (https://…).`
        : `“${address}” is not a valid URL (the test’s baseUrl is “${baseUrl}”).`,
    );
  const url = new URL(address, baseUrl);
  if (!['http:', 'https:'].includes(url.protocol))
    throw new StepFailure(`“${address}” cannot be opened: only http and https URLs are allowed.`);
  return url.href;
}

/**
 * Whether a page is at an expected address.
 * @param expected relative to the base, or to the page itself without one; `*` stands for anything. What comes behind ? and
 *   # counts only when it is written
 */
export function isAt(actual: string, expected: string, baseUrl: string | undefined): boolean {
  const wanted = resolved(expected, baseUrl ?? actual);
  if (!URL.canParse(actual)) return actual === expected;
  const url = new URL(actual);
  if (!expected.includes('#')) url.hash = '';
  if (!expected.includes('?')) url.search = '';
  return matches(url.href, wanted.split('*'));
}

/** @param parts of a pattern, with anything between them */
function matches(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function resolved(expected: string, base: string): string {
  if (/^[a-z*]+:|^\*/i.test(expected)) {
    // An address without a path is written in two ways.
    return /^https?:\/\/[^/*?#]+$/i.test(expected) ? `${expected}/` : expected;
  }
  return URL.canParse(expected, base) ? new URL(expected, base).href.replaceAll('%2A', '*') : expected;
}
