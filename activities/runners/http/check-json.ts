import { compile } from 'json-p3';
import { isDeepStrictEqual } from 'node:util';
import type { JsonExpectation, JsonType } from '#src/domain/http-test/expectations.js';
import type { Json } from '#src/domain/json.js';
import type { Body, Failure } from './seen-answer.js';

/** What a JSONPath has found. */
export interface Found {
  values: Json[];
  /** The path can lead to one value only, such as $.items[0].price: then that value is looked at, else the list of all. */
  isOne: boolean;
}

/** @throws what json-p3 says of a path that is none */
export function find(path: string, value: Json): Found {
  const query = compile(path);
  return { values: query.query(value).values() as Json[], isOne: query.singularQuery() };
}

/** @returns each expectation that does not hold */
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
  const there = values.length > 0;
  if (exists === false) return there ? [unlike(`nothing at ${path}`, isOne ? values[0]! : values)] : [];
  const needsOne = exists === true || (isOne && (count !== undefined || Object.keys(rest).length > 0));
  if (needsOne && !there) return [{ text: `expected a value at ${path}, but there is none` }];
  const value = isOne ? values[0]! : values;
  const failures: Failure[] = [];
  const hold = (holds: boolean, words: string) => {
    if (!holds) failures.push(unlike(`${path} ${words}`, value));
  };
  const { equals, contains, matches, type, lessThan, greaterThan } = rest;
  // Of a list of values each.
  const all = (holds: (value: Json) => boolean) => there && values.every(holds);
  if (count !== undefined) hold(sizeOf(value) === count, `to have the count ${count}`);
  if (equals !== undefined) hold(isDeepStrictEqual(value, equals), `to be ${JSON.stringify(equals)}`);
  if (contains !== undefined) hold(doesContain(value, contains), `to contain ${JSON.stringify(contains)}`);
  if (matches !== undefined) {
    const pattern = new RegExp(matches);
    hold(
      all((one) => typeof one === 'string' && pattern.test(one)),
      `to match /${matches}/`,
    );
  }
  if (type !== undefined)
    hold(
      all((one) => isOfType(one, type)),
      `to be of type ${type}`,
    );
  if (lessThan !== undefined)
    hold(
      all((one) => typeof one === 'number' && one < lessThan),
      `to be less than ${lessThan}`,
    );
  if (greaterThan !== undefined)
    hold(
      all((one) => typeof one === 'number' && one > greaterThan),
      `to be greater than ${greaterThan}`,
    );
  return failures;
}

/** Of a list, a text or a map; undefined: it has none. */
function sizeOf(value: Json): number | undefined {
  if (Array.isArray(value) || typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** A part of a text; one of a list, or a map with at least these fields. */
function doesContain(value: Json, wanted: Json): boolean {
  if (typeof value === 'string') return typeof wanted === 'string' && value.includes(wanted);
  if (Array.isArray(value)) return value.some((item) => isDeepStrictEqual(item, wanted) || hasFields(item, wanted));
  return hasFields(value, wanted);
}

const isMap = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasFields(value: Json, wanted: Json): boolean {
  if (!isMap(value) || !isMap(wanted)) return false;
  return Object.entries(wanted).every(
    ([name, item]) => Object.hasOwn(value, name) && isDeepStrictEqual(value[name], item),
  );
}

function isOfType(value: Json, type: JsonType): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isMap(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function unlike(expected: string, value: Json): Failure {
  return { text: `expected ${expected}, but it was`, actual: JSON.stringify(value).slice(0, 65_536) };
}
