import type { HttpExpectations } from '#src/domain/http-test/expectations.js';
import type { Json } from '#src/domain/json.js';
import { fillIn } from '#activities/fill-in.js';

/** What a test's texts may name: its variables, and what earlier requests have captured, with its type. */
export interface Values {
  variables: Readonly<Record<string, string>>;
  captured: ReadonlyMap<string, Json>;
}

const ONLY_A_PLACE = /^\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}$/;
/** Of an address: what is in front of its path, or the places that it begins with. */
const HEAD_OF_ADDRESS = /^(?:https?:\/\/[^/?#]*|(?:\{\{[^}]*\}\})+)/i;

export const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** @throws VariableMissingError */
export function fillText(text: string, { variables, captured }: Values, written?: (value: string) => string): string {
  if (!text.includes('{{')) return text;
  const all = { ...variables, ...Object.fromEntries([...captured].map(([name, value]) => [name, asText(value)])) };
  return fillIn(text, all, written);
}

/** The texts of a JSON value. One that is nothing but `{{NAME}}` becomes what was captured, with its type. */
export function fillJson(value: Json, values: Values): Json {
  if (typeof value === 'string') {
    const name = ONLY_A_PLACE.exec(value)?.[1];
    return (name === undefined ? undefined : values.captured.get(name)) ?? fillText(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillJson(item, values)]));
}

/**
 * An address. What stands in its path or query is a part of it, whatever characters it has: `/`, `?` and `&` are encoded.
 * At its beginning a variable is an address itself.
 */
export function fillAddress(address: string, values: Values): string {
  const head = HEAD_OF_ADDRESS.exec(address)?.[0] ?? '';
  return fillText(head, values) + fillText(address.slice(head.length), values, partOfAddress);
}

// What comes from an answer may hold half a character, which cannot be encoded.
const partOfAddress = (value: string) => encodeURIComponent(Buffer.from(value).toString());

/** Values stand for themselves in a regular expression. */
const fillPattern = (pattern: string, values: Values) =>
  fillText(pattern, values, (value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));

/** What is expected, with variables in their places. A schema has none. @throws VariableMissingError */
export function fillExpectations(expect: HttpExpectations, values: Values): HttpExpectations {
  const text = (given: string) => fillText(given, values);
  const patterns = <T extends { equals?: unknown; contains?: unknown; matches?: string }>(given: T): T => ({
    ...given,
    ...(given.equals === undefined ? {} : { equals: fillJson(given.equals as Json, values) }),
    ...(given.contains === undefined ? {} : { contains: fillJson(given.contains as Json, values) }),
    ...(given.matches === undefined ? {} : { matches: fillPattern(given.matches, values) }),
  });
  const { headers, json } = expect;
  const filledHeaders = Object.entries(headers ?? {}).map(([name, wanted]) => [
    name,
    typeof wanted === 'string' ? text(wanted) : texts(patterns(wanted)),
  ]);
  return {
    ...expect,
    ...(headers && { headers: Object.fromEntries(filledHeaders) }),
    ...(json && { json: json.map((one) => ({ ...patterns(one), path: text(one.path) })) }),
    ...(expect.text && { text: texts(patterns(expect.text)) }),
  };
}

/** Text is compared with text: a captured 5 is "5" there. */
function texts<T extends { equals?: string; contains?: string }>(given: T): T {
  const { equals, contains } = given as { equals?: Json; contains?: Json };
  return {
    ...given,
    ...(equals === undefined ? {} : { equals: asText(equals) }),
    ...(contains === undefined ? {} : { contains: asText(contains) }),
  };
}
