import type { Json } from '#src/domain/json.js';

/* Expectations and captures; see docs/http-tests.md. */

export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

export type JsonType = (typeof JSON_TYPES)[number];

/** 200, or all of a class: 2xx. */
export type StatusPattern = number | `${1 | 2 | 3 | 4 | 5}xx`;

/** `matches`: a regular expression, not anchored. */
export interface TextExpectation {
  equals?: string;
  contains?: string;
  matches?: string;
}

export interface JsonExpectation {
  /** JSONPath (RFC 9535). */
  path: string;
  equals?: Json;
  contains?: Json;
  matches?: string;
  exists?: boolean;
  type?: JsonType;
  count?: number;
  lessThan?: number;
  greaterThan?: number;
}

export interface HttpExpectations {
  /** Absent: below 400. */
  status?: StatusPattern | StatusPattern[];
  /** By name. A string must match the whole value; `*` matches any text. */
  headers?: Record<string, string | (TextExpectation & { exists?: boolean })>;
  json?: JsonExpectation[];
  /** JSON Schema of the body. */
  schema?: { [keyword: string]: Json };
  /** Path of a file with a JSON Schema, below the working folder. */
  schemaFile?: string;
  text?: TextExpectation;
  time?: { below: string };
}

export interface HttpCapture {
  /** A JSONPath. */
  json?: string;
  header?: string;
  /** A regular expression: captures its first group, or the whole match. */
  text?: string;
  cookie?: string;
  status?: true;
  /** Masked in logs and results. */
  secret?: boolean;
}

export type HttpCaptures = Record<string, HttpCapture>;
