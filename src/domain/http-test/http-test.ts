import Joi from 'joi';
import { must } from '#src/domain/targets/definition-fields.js';
import type { HttpCaptures, HttpExpectations } from './expectations.js';
import { headers, request } from './request-fields.js';
import type { Json } from '#src/domain/json.js';

/* What an HTTP test is made of. Its texts may name variables: {{NAME}}. */

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export type HttpMethod = (typeof HTTP_METHODS)[number];

/** One request and what is expected of its answer. Durations are as written: 500ms, 5s. */
export interface HttpRequest {
  name?: string;
  /** Absent: GET. */
  method?: HttpMethod;
  /** Absolute, or relative to the test's `baseUrl`. */
  url: string;
  headers?: Record<string, string>;
  query?: Record<string, string | string[]>;
  /* One of these four is the body. */
  body?: string;
  json?: Json;
  form?: Record<string, string>;
  /** Path of a file below the working folder. */
  file?: string;
  auth?: { basic?: { username: string; password: string }; bearer?: string };
  /** A number: that many at most. Absent: follow, 10 at most. */
  redirects?: 'follow' | 'manual' | number;
  /** From sending it to the end of its answer. Absent: 30s. */
  timeout?: string;
  expect?: HttpExpectations;
  /** What later requests name as {{NAME}}. */
  capture?: HttpCaptures;
  /** Sent again until what is expected holds. */
  retry?: { times: number; every?: string };
}

export interface HttpSettings {
  /** What the requests' addresses are relative to. */
  baseUrl?: string;
  requests: HttpRequest[];
  /** Of every request. */
  headers?: Record<string, string>;
  /** Whether cookies of answers go with later requests. Absent: keep. */
  cookies?: 'keep' | 'none';
  /** Certificates are not checked. */
  insecure?: boolean;
}

/** Where in requests that are read from YAML values keep their types: JSON that goes over the wire, or is held against what came. */
export const TYPED_IN_REQUESTS = [
  ['json'],
  ['expect', 'json', '*', 'equals'],
  ['expect', 'json', '*', 'contains'],
  ['expect', 'schema'],
].map((path) => ['*', ...path]);

export const httpFields = {
  requests: Joi.array().items(request(HTTP_METHODS)).min(1).max(200).messages(must('a list of 1 to 200 requests')),
  headers,
  cookies: Joi.string().valid('keep', 'none').messages(must('"keep" or "none"')),
  insecure: Joi.boolean().messages(must('true or false')),
};
