import { compile } from 'json-p3';
import { isDeepStrictEqual } from 'node:util';
import type { JsonExpectation, JsonType } from '#src/domain/http-test/expectations.js';
import type { Json } from '#src/domain/json.js';
import type { Body, Failure } from './response-snapshot.js';

/** The values at a JSONPath. */
export interface Found {
  values: Json[];
  /**
   * The path matches at most one value, such as $.items[0].price. Expectations then apply to it, else to the list of
   * all values.
   */
  isOne: boolean;
}

/** @throws json-p3's error if the path is invalid */
export function find(path: string, value: Json): Found {
  const query = compile(path);
  return { values: query.query(value).values() as Json[], isOne: query.singularQuery() };
}

/** @returns each failed expectation */
export function checkJson(body: Body, expectations: readonly JsonExpectation[]): Failure[] {
  if (expectations.length === 0) return [];
  const { json } = body;
  if ('problem' in json) return [{ text: `expected JSON, but ${json.problem}` }];
  return expectations.flatMap((expectation) => {
    try {
      return failuresOf(find(expectation.path, json.value), expectation);
    } catch (error) {
      return [{ text: `could not evaluate ${expectation.path}: ${(error as Error).message}` }];
    }
  });
}

function failuresOf({ values, isOne }: Found, { path, exists, count, ...rest }: JsonExpectation): Failure[] {
  const isFound = values.length > 0;
  if (exists === false) return isFound ? [unlike(`nothing at ${path}`, isOne ? values[0]! : values)] : [];
  const needsOne = exists === true || (isOne && (count !== undefined || Object.keys(rest).length > 0));
  if (needsOne && !isFound) return [{ text: `expected a value at ${path}, but there is none` }];
  const value = isOne ? values[0]! : values;
  const failures: Failure[] = [];
  const expect = (isMet: boolean, words: string) => {
    if (!isMet) failures.push(unlike(`${path} ${words}`, value));
  };
  const { equals, contains, matches, type, lessThan, greaterThan } = rest;
  // Applies to each value of a list.
  const all = (isMet: (value: Json) => boolean) => isFound && values.every(isMet);
  if (count !== undefined) expect(sizeOf(value) === count, `to have the count ${count}`);
  if (equals !== undefined) expect(isDeepStrictEqual(value, equals), `to be ${JSON.stringify(equals)}`);
  if (contains !== undefined) expect(doesContain(value, contains), `to contain ${JSON.stringify(contains)}`);
  if (matches !== undefined) {
    const pattern = new RegExp(matches);
    expect(
      all((one) => typeof one === 'string' && pattern.test(one)),
      `to match /${matches}/`,
    );
  }
  if (type !== undefined)
    expect(
      all((one) => isOfType(one, type)),
      `to be of type ${type}`,
    );
  if (lessThan !== undefined)
    expect(
      all((one) => typeof one === 'number' && one < lessThan),
      `to be less than ${lessThan}`,
    );
  if (greaterThan !== undefined)
    expect(
      all((one) => typeof one === 'number' && one > greaterThan),
      `to be greater than ${greaterThan}`,
    );
  return failures;
}

/** Size of a list, text or object; undefined for other values. */
function sizeOf(value: Json): number | undefined {
  if (Array.isArray(value) || typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** Whether a text contains a text, a list an item, or an object at least these fields. */
function doesContain(value: Json, expected: Json): boolean {
  if (typeof value === 'string') return typeof expected === 'string' && value.includes(expected);
  if (Array.isArray(value)) return value.some((item) => isDeepStrictEqual(item, expected) || hasFields(item, expected));
  return hasFields(value, expected);
}

const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasFields(value: Json, expected: Json): boolean {
  if (!isObject(value) || !isObject(expected)) return false;
  return Object.entries(expected).every(
    ([name, item]) => Object.hasOwn(value, name) && isDeepStrictEqual(value[name], item),
  );
}

function isOfType(value: Json, type: JsonType): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function unlike(expected: string, value: Json): Failure {
  return { text: `expected ${expected}, but it was`, actual: JSON.stringify(value).slice(0, 65_536) };
}
