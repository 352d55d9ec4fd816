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
import { Body, type Failure, type SeenAnswer } from './seen-answer.js';

/*
 * Holds an answer against what is expected of it. Pure, and as slow as a test's patterns make it: it runs in a thread with a
 * deadline (see answer-checker).
 */

export interface CheckTask {
  answer: SeenAnswer;
  /** With variables in their places, and a file's schema as `schema`. */
  expect: HttpExpectations;
  belowMs?: number;
  capture: Record<string, HttpCapture>;
}

export interface CheckResult {
  failures: Failure[];
  captured: Record<string, Json>;
  /** It took too much, and would again: this is the verdict. */
  isGivenUp?: true;
}

export function checkAnswer({ answer, expect, belowMs, capture }: CheckTask): CheckResult {
  const body = new Body(answer.body);
  const failures = [
    ...checkStatus(answer.status, expect.status),
    ...checkTime(answer.totalMs, belowMs),
    ...Object.entries(expect.headers ?? {}).flatMap(([name, wanted]) => checkHeader(answer, name, wanted)),
    ...checkText(body, expect.text),
    ...checkJson(body, expect.json ?? []),
    ...(expect.schema ? checkSchema(body, expect.schema) : []),
  ];
  const captured: Record<string, Json> = {};
  for (const [name, place] of Object.entries(capture)) {
    const found = captureOf(answer, body, place);
    if ('value' in found) captured[name] = found.value;
    else failures.push({ text: `could not capture ${name}: ${found.problem}` });
  }
  return { failures, captured };
}

/** @param wanted absent: any that is no error */
export function checkStatus(status: number, wanted?: StatusPattern | StatusPattern[]): Failure[] {
  const patterns = wanted === undefined ? (['1xx', '2xx', '3xx'] as const) : [wanted].flat();
  if (patterns.some((pattern) => pattern === status || pattern === `${Math.floor(status / 100)}xx`)) return [];
  const expected = wanted === undefined ? 'below 400' : patterns.join(' or ');
  return [{ text: `expected status ${expected}, but it was ${status}` }];
}

export function checkTime(totalMs: number, belowMs: number | undefined): Failure[] {
  if (belowMs === undefined || totalMs < belowMs) return [];
  return [{ text: `expected a response in less than ${belowMs} ms, but it took ${Math.round(totalMs)} ms` }];
}

function checkHeader(
  { headers }: SeenAnswer,
  name: string,
  wanted: string | (TextExpectation & { exists?: boolean }),
): Failure[] {
  const what = `header ${name}`;
  const value = headers[name.toLowerCase()]?.join(', ');
  if (typeof wanted === 'string') {
    if (value !== undefined && isLike(value, wanted)) return [];
    return [unlike(`expected ${what} to be ${JSON.stringify(wanted)}`, value, 'it is missing')];
  }
  const { exists, ...text } = wanted;
  if (exists === false) return value === undefined ? [] : [unlike(`expected no ${what}`, value, '')];
  if (value === undefined) return [{ text: `expected ${what}, but it is missing` }];
  return failuresOfText(what, value, text);
}

function checkText(body: Body, wanted: TextExpectation | undefined): Failure[] {
  return wanted ? failuresOfText('the response', body.text, wanted) : [];
}

function failuresOfText(what: string, value: string, { equals, contains, matches }: TextExpectation): Failure[] {
  const expected = (words: string) => unlike(`expected ${what} ${words}`, value, '');
  return [
    ...(equals === undefined || value === equals ? [] : [expected(`to be ${JSON.stringify(equals)}`)]),
    ...(contains === undefined || value.includes(contains) ? [] : [expected(`to contain ${JSON.stringify(contains)}`)]),
    ...(matches === undefined || new RegExp(matches).test(value) ? [] : [expected(`to match /${matches}/`)]),
  ];
}

/** `*` stands for any text. Without a regular expression: nothing to go astray in. */
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
