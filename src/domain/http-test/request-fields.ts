import Joi from 'joi';
import {
  addressOrOther,
  INVALID_ADDRESS,
  known,
  must,
  name,
  text,
  wholeNumber,
} from '#src/domain/targets/definition-fields.js';
import { capture, expectations } from './expectation-fields.js';
import { json } from '#src/domain/json.js';
import { durationMs } from '#src/domain/project-file/duration.js';

/* Fields of a request of an HTTP test. */

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/;
const HEADER_VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
/** Set by the worker for the connection. */
const CONNECTION_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const LONGEST_BODY = 1024 * 1024;
const LONGEST_WAIT_MS = 10 * 60_000;
/** Minimum delay between retries, so that a service is not flooded. */
export const SHORTEST_PAUSE_MS = 100;
const TOO_SHORT = { 'retry.short': `{{#label}} must not be shorter than ${SHORTEST_PAUSE_MS}ms` };

export const headers = Joi.object<Record<string, string>>()
  .pattern(
    HEADER_NAME,
    text().allow('').max(8192).pattern(HEADER_VALUE).messages(must('a string of up to 8,192 characters, on one line')),
  )
  .max(100)
  .custom((value: Record<string, string>, helpers) => {
    const field = Object.keys(value).find((name) => CONNECTION_HEADERS.includes(name.toLowerCase()));
    return field === undefined ? value : helpers.error('object.forbidden', { field });
  })
  .messages({
    '*': '{{#label}} must be a map of up to 100 headers, such as Accept: application/json',
    'object.unknown': '{{#label}} is not a valid header name',
    'object.forbidden': '{{#label}} must not set {{#field}}: the worker sets it for the connection',
  });

const duration = Joi.string()
  .custom((written: string, helpers) => {
    const ms = durationMs(written);
    return ms !== undefined && ms > 0 && ms <= LONGEST_WAIT_MS ? written : helpers.error('any.invalid');
  })
  .messages(must('a duration greater than 0 and up to 10m, with a unit: 500ms, 5s or 1m'));

const pause = duration
  .custom((written: string, helpers) =>
    (durationMs(written) ?? SHORTEST_PAUSE_MS) < SHORTEST_PAUSE_MS ? helpers.error('retry.short') : written,
  )
  .messages(TOO_SHORT);

const address = text()
  .trim()
  .min(1)
  .max(8000)
  .custom((url: string, helpers) =>
    /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^https?:\/\//i.test(url) ? helpers.error('any.invalid') : url,
  )
  .custom(addressOrOther)
  .messages({
    ...must('an http:// or https:// URL, or a path such as /orders relative to baseUrl'),
    ...INVALID_ADDRESS,
  });

const credential = (what: string) => text().allow('').max(8192).messages(must(what));

const auth = known('auth', {
  basic: known('basic', {
    username: credential('a user name, such as {{USER}}').required(),
    password: credential('a password, such as {{PASSWORD}}').required(),
  }),
  bearer: credential('a token, such as {{TOKEN}}'),
})
  .xor('basic', 'bearer')
  .messages({ '*': '{{#label}} must have either basic (username, password) or bearer' });

const word = text().allow('').max(LONGEST_BODY);
const query = Joi.object<Record<string, string | string[]>>()
  .pattern(Joi.string().max(1000), Joi.alternatives(word, Joi.array().items(word).max(1000)))
  .messages(must('a map of names to strings or lists of strings'));

export const request = (methods: readonly string[]) =>
  known('a request', {
    name,
    method: Joi.string()
      .uppercase()
      .valid(...methods)
      .messages(must(`one of ${methods.join(', ')}`)),
    url: address.required(),
    headers,
    query,
    body: text().allow('').max(LONGEST_BODY).messages(must('a string of up to 1,048,576 characters')),
    json,
    form: Joi.object().pattern(Joi.string().max(1000), word).messages(must('a map of names to strings')),
    file: text().min(1).max(1000).messages(must('the path of a file in the working folder, such as order.json')),
    auth,
    redirects: Joi.alternatives('follow', 'manual', Joi.number().integer().min(0).max(10)).messages(
      must('"follow", "manual" or the maximum number of redirects, from 0 to 10'),
    ),
    timeout: duration,
    expect: expectations(duration),
    capture,
    retry: known('retry', { times: wholeNumber(1, 1000).required(), every: pause }),
  })
    .oxor('body', 'json', 'form', 'file')
    .messages({ 'object.oxor': '{{#label}} must have only one of body, json, form, file' });
