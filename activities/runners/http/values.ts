import type { HttpExpectations } from '#src/domain/http-test/expectations.js';
import type { Json } from '#src/domain/json.js';
import { fillIn } from '#activities/fill-in.js';

/** Values to substitute in a test's texts: its variables, and typed values that earlier requests captured. */
export interface Values {
  variables: Readonly<Record<string, string>>;
  captured: ReadonlyMap<string, Json>;
}

const ONLY_A_VARIABLE = /^\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}$/;
/** The part of a URL before its path, or the variables that it starts with. */
const URL_HEAD = /^(?:https?:\/\/[^/?#]*|(?:\{\{[^}]*\}\})+)/i;

export const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** @throws VariableMissingError */
export function fillText(text: string, { variables, captured }: Values, encode?: (value: string) => string): string {
  if (!text.includes('{{')) return text;
  const all = { ...variables, ...Object.fromEntries([...captured].map(([name, value]) => [name, asText(value)])) };
  return fillIn(text, all, encode);
}

/**
 * Substitutes in the texts of a JSON value. A text that is only `{{NAME}}` becomes the captured value, with its type.
 */
export function fillJson(value: Json, values: Values): Json {
  if (typeof value === 'string') {
    const name = ONLY_A_VARIABLE.exec(value)?.[1];
    return (name === undefined ? undefined : values.captured.get(name)) ?? fillText(value, values);
  }
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillJson(item, values)]));
}

/**
 * Substitutes in a URL. Values in the path or query are encoded, including `/`, `?` and `&`; a variable at the
 * beginning is part of a URL itself.
 */
export function fillUrl(url: string, values: Values): string {
  const head = URL_HEAD.exec(url)?.[0] ?? '';
  return fillText(head, values) + fillText(url.slice(head.length), values, urlComponent);
}

// Values of a response may contain lone surrogates, which cannot be encoded.
const urlComponent = (value: string) => encodeURIComponent(Buffer.from(value).toString());

/** Values are escaped in regular expressions. */
const fillPattern = (pattern: string, values: Values) =>
  fillText(pattern, values, (value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));

/** Substitutes in expectations, except schemas. @throws VariableMissingError */
export function fillExpectations(expect: HttpExpectations, values: Values): HttpExpectations {
  const text = (given: string) => fillText(given, values);
  const patterns = <T extends { equals?: unknown; contains?: unknown; matches?: string }>(given: T): T => ({
    ...given,
    ...(given.equals === undefined ? {} : { equals: fillJson(given.equals as Json, values) }),
    ...(given.contains === undefined ? {} : { contains: fillJson(given.contains as Json, values) }),
    ...(given.matches === undefined ? {} : { matches: fillPattern(given.matches, values) }),
  });
  const { headers, json } = expect;
  const filledHeaders = Object.entries(headers ?? {}).map(([name, expected]) => [
    name,
    typeof expected === 'string' ? text(expected) : texts(patterns(expected)),
  ]);
  return {
    ...expect,
    ...(headers && { headers: Object.fromEntries(filledHeaders) }),
    ...(json && { json: json.map((one) => ({ ...patterns(one), path: text(one.path) })) }),
    ...(expect.text && { text: texts(patterns(expect.text)) }),
  };
}

/** Texts are only compared with texts, so a captured 5 becomes "5". */
function texts<T extends { equals?: string; contains?: string }>(given: T): T {
  const { equals, contains } = given as { equals?: Json; contains?: Json };
  return {
    ...given,
    ...(equals === undefined ? {} : { equals: asText(equals) }),
    ...(contains === undefined ? {} : { contains: asText(contains) }),
  };
}
