import { StepFailure } from './step-failure.js';

const ALLOWED = /^(https?|about|blob|data|chrome-error):/i;

/** Whether a page may have this URL: excludes the worker's files and the browser's own pages. */
export function isAllowedUrl(url: string): boolean {
  return url === '' || ALLOWED.test(url);
}

/**
 * The URL that a `goto` opens.
 * @throws StepFailure if tests may not open it, or if it is relative and there is no base URL
 */
export function urlToOpen(address: string, baseUrl: string | undefined): string {
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
 * Whether a page has the expected URL.
 * @param expected relative to the base URL, else to the page itself; `*` matches anything. Query and fragment are only
 *   compared if they are given
 */
export function matchesUrl(actual: string, expected: string, baseUrl: string | undefined): boolean {
  const pattern = resolved(expected, baseUrl ?? actual);
  if (!URL.canParse(actual)) return actual === expected;
  const url = new URL(actual);
  if (!expected.includes('#')) url.hash = '';
  if (!expected.includes('?')) url.search = '';
  return matchesParts(url.href, pattern.split('*'));
}

/** @param parts of a pattern that was split at `*` */
function matchesParts(text: string, parts: readonly string[]): boolean {
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
    // A URL without a path can be written with or without a slash.
    return /^https?:\/\/[^/*?#]+$/i.test(expected) ? `${expected}/` : expected;
  }
  return URL.canParse(expected, base) ? new URL(expected, base).href.replaceAll('%2A', '*') : expected;
}
