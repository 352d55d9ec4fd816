import Joi from 'joi';
import { must } from '#src/domain/targets/definition-fields.js';
import type { HttpCaptures, HttpExpectations } from './expectations.js';
import { headers, request } from './request-fields.js';
import type { Json } from '#src/domain/json.js';

/* Definition of an HTTP test. Strings may contain variables: {{NAME}}. */

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export type HttpMethod = (typeof HTTP_METHODS)[number];

/** A request and its expectations. Durations are text, such as 500ms or 5s. */
export interface HttpRequest {
  name?: string;
  /** Absent: GET. */
  method?: HttpMethod;
  /** Absolute, or relative to the test's `baseUrl`. */
  url: string;
  headers?: Record<string, string>;
  query?: Record<string, string | string[]>;
  /* At most one of the next four. */
  body?: string;
  json?: Json;
  form?: Record<string, string>;
  /** Path of a file below the working folder. */
  file?: string;
  auth?: { basic?: { username: string; password: string }; bearer?: string };
  /** A number is a maximum. Absent: follow up to 10. */
  redirects?: 'follow' | 'manual' | number;
  /** Until the end of the response. Absent: 30s. */
  timeout?: string;
  expect?: HttpExpectations;
  /** Variables for later requests. */
  capture?: HttpCaptures;
  /** Repeats the request until every expectation holds. */
  retry?: { times: number; every?: string };
}

export interface HttpSettings {
  /** Base of relative URLs. */
  baseUrl?: string;
  requests: HttpRequest[];
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** Whether cookies of responses are sent with later requests. Absent: keep. */
  cookies?: 'keep' | 'none';
  /** Skips the verification of certificates. */
  insecure?: boolean;
}

/** Paths in requests whose YAML values keep their types: JSON that is sent, or compared with a response. */
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
