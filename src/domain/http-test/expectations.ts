import type { Json } from '#src/domain/json.js';

/* What is expected of an answer, and what is captured of it; see docs/http-tests.md for what each means. */

export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

export type JsonType = (typeof JSON_TYPES)[number];

/** 200, or all of a class: 2xx. */
export type StatusPattern = number | `${1 | 2 | 3 | 4 | 5}xx`;

/** `matches`: a regular expression that is found anywhere. */
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
  /** By name. A text: the whole value, `*` standing for any text. */
  headers?: Record<string, string | (TextExpectation & { exists?: boolean })>;
  json?: JsonExpectation[];
  /** A JSON Schema of the whole answer. */
  schema?: { [keyword: string]: Json };
  /** Path of a file with one, below the working folder. */
  schemaFile?: string;
  text?: TextExpectation;
  time?: { below: string };
}

/** What is taken of an answer. */
export interface HttpCapture {
  /** A JSONPath. */
  json?: string;
  header?: string;
  /** A regular expression: its first group, or all that it matches. */
  text?: string;
  cookie?: string;
  status?: true;
  /** Masked from here on wherever it would show up. */
  secret?: boolean;
}

export type HttpCaptures = Record<string, HttpCapture>;
