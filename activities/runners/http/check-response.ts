import type {
  HttpCapture,
  HttpExpectations,
  StatusPattern,
  TextExpectation,
} from '#src/domain/http-test/expectations.js';
import type { Json } from '#src/domain/json.js';
import { captureOf } from './captures.js';
import { checkJson } from './check-json.js';
import { checkSchema } from './check-schema.js';
import { Body, type Failure, type ResponseSnapshot } from './response-snapshot.js';

/*
 * Checks a response against expectations. Pure, and as slow as the test's patterns: it runs in a thread with a deadline
 * (see response-checker).
 */

export interface CheckTask {
  response: ResponseSnapshot;
  /** With variables substituted, and the schema of a file as `schema`. */
  expect: HttpExpectations;
  belowMs?: number | undefined;
  capture: Record<string, HttpCapture>;
}

export interface CheckResult {
  failures: Failure[];
  captured: Record<string, Json>;
  /** The check exceeded its time or memory, as a retry would: the failure is final. */
  isGivenUp?: true;
}

export function checkResponse({ response, expect, belowMs, capture }: CheckTask): CheckResult {
  const body = new Body(response.body);
  const failures = [
    ...checkStatus(response.status, expect.status),
    ...checkTime(response.totalMs, belowMs),
    ...Object.entries(expect.headers ?? {}).flatMap(([name, expected]) => checkHeader(response, name, expected)),
    ...checkText(body, expect.text),
    ...checkJson(body, expect.json ?? []),
    ...(expect.schema ? checkSchema(body, expect.schema) : []),
  ];
  const captured: Record<string, Json> = {};
  for (const [name, place] of Object.entries(capture)) {
    const found = captureOf(response, body, place);
    if ('value' in found) captured[name] = found.value;
    else failures.push({ text: `could not capture ${name}: ${found.problem}` });
  }
  return { failures, captured };
}

/** @param expected absent: any status below 400 */
export function checkStatus(status: number, expected?: StatusPattern | StatusPattern[]): Failure[] {
  const patterns = expected === undefined ? (['1xx', '2xx', '3xx'] as const) : [expected].flat();
  if (patterns.some((pattern) => pattern === status || pattern === `${Math.floor(status / 100)}xx`)) return [];
  const shown = expected === undefined ? 'below 400' : patterns.join(' or ');
  return [{ text: `expected status ${shown}, but it was ${status}` }];
}

export function checkTime(totalMs: number, belowMs: number | undefined): Failure[] {
  if (belowMs === undefined || totalMs < belowMs) return [];
  return [{ text: `expected a response in less than ${belowMs} ms, but it took ${Math.round(totalMs)} ms` }];
}

function checkHeader(
  { headers }: ResponseSnapshot,
  name: string,
  expected: string | (TextExpectation & { exists?: boolean }),
): Failure[] {
  const what = `header ${name}`;
  const value = headers[name.toLowerCase()]?.join(', ');
  if (typeof expected === 'string') {
    if (value !== undefined && isLike(value, expected)) return [];
    return [unlike(`expected ${what} to be ${JSON.stringify(expected)}`, value, 'it is missing')];
  }
  const { exists, ...text } = expected;
  if (exists === false) return value === undefined ? [] : [unlike(`expected no ${what}`, value, '')];
  if (value === undefined) return [{ text: `expected ${what}, but it is missing` }];
  return failuresOfText(what, value, text);
}

function checkText(body: Body, expected: TextExpectation | undefined): Failure[] {
  return expected ? failuresOfText('the response', body.text, expected) : [];
}

function failuresOfText(what: string, value: string, { equals, contains, matches }: TextExpectation): Failure[] {
  const failure = (words: string) => unlike(`expected ${what} ${words}`, value, '');
  return [
    ...(equals === undefined || value === equals ? [] : [failure(`to be ${JSON.stringify(equals)}`)]),
    ...(contains === undefined || value.includes(contains) ? [] : [failure(`to contain ${JSON.stringify(contains)}`)]),
    ...(matches === undefined || new RegExp(matches).test(value) ? [] : [failure(`to match /${matches}/`)]),
  ];
}

/** `*` stands for any text. No regular expression, which could backtrack forever. */
export function isLike(value: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return value === first;
  const last = rest.pop()!;
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= value.length - last.length;
}

function unlike(expected: string, value: string | undefined, absent: string): Failure {
  return value === undefined
    ? { text: `${expected}, but ${absent}` }
    : { text: `${expected}, but it was`, actual: JSON.stringify(value.slice(0, 65_536)) };
}
