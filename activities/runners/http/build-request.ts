import { lookup as contentTypeOf } from 'mrmime';
import type { HttpTest } from '#src/domain/targets/definitions.js';
import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import { fillUrl, fillJson, fillText, type Values } from './values.js';
import { BadRequestError } from './bad-request-error.js';
import type { FileRoot } from '#activities/files/open-inside.js';
import { readTestFile } from './read-test-file.js';

/** A request with all values substituted. */
export interface OutgoingRequest {
  method: string;
  url: URL;
  /** By lower-case name. */
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

/**
 * Builds a request of a test by substituting its variables.
 * @param files the folder of its files
 * @throws VariableMissingError, BadRequestError; the signal's reason
 */
export async function buildRequest(
  test: Pick<HttpTest, 'baseUrl' | 'headers'>,
  request: HttpRequest,
  values: Values,
  files: FileRoot,
  signal: AbortSignal,
): Promise<OutgoingRequest> {
  const url = urlOf(test.baseUrl, request, values);
  const { contentType, body } = await bodyOf(request, values, files, signal);
  const given = { ...lowerCase(test.headers), ...lowerCase(request.headers) };
  const headers: Record<string, string> = {
    accept: '*/*',
    'user-agent': 'runhook',
    ...(contentType && { 'content-type': contentType }),
    ...authorization(request, url, values),
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, fillText(value, values)])),
  };
  url.username = url.password = url.hash = '';
  return { method: request.method ?? 'GET', url, headers, body };
}

function urlOf(baseUrl: string | undefined, { url: written, query = {} }: HttpRequest, values: Values): URL {
  const filled = fillUrl(written, values);
  const url = /^https?:\/\//i.test(filled) ? filled : `${baseOf(baseUrl, filled, values)}${filled}`;
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new BadRequestError(
      `the URL is invalid: ${url}. It must start with http:// or https://, or be relative to the test’s baseUrl.`,
    );
  const result = new URL(url);
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) result.searchParams.append(fillText(name, values), fillText(each, values));
  return result;
}

/** The base URL to prepend to a path, with exactly one slash between them. */
function baseOf(baseUrl: string | undefined, path: string, values: Values): string {
  if (baseUrl === undefined)
    throw new BadRequestError(
      `the URL ${path} is relative, and the test has no baseUrl. Set baseUrl, or use an absolute URL (https://…).`,
    );
  const base = fillUrl(baseUrl, values).replace(/\/+$/, '');
  return /^[/?]/.test(path) ? base : `${base}/`;
}

async function bodyOf(
  { body, json, form, file }: HttpRequest,
  values: Values,
  files: FileRoot,
  signal: AbortSignal,
): Promise<{ contentType?: string; body?: Buffer }> {
  if (json !== undefined)
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(fillJson(json, values))) };
  if (form !== undefined) {
    const fields = Object.entries(form).map(([name, value]) => [name, fillText(value, values)] as [string, string]);
    return { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(`${new URLSearchParams(fields)}`) };
  }
  if (file !== undefined) {
    const path = fillText(file, values);
    return {
      contentType: contentTypeOf(path) ?? 'application/octet-stream',
      body: await readTestFile(files, path, signal),
    };
  }
  return body === undefined
    ? {}
    : { contentType: 'text/plain; charset=utf-8', body: Buffer.from(fillText(body, values)) };
}

function authorization({ auth }: HttpRequest, url: URL, values: Values): Record<string, string> {
  if (auth?.bearer !== undefined) return { authorization: `Bearer ${fillText(auth.bearer, values)}` };
  const { username, password } = auth?.basic ?? {
    username: decoded(url.username),
    password: decoded(url.password),
  };
  if (!auth?.basic && username === '' && password === '') return {};
  const [name, secret] = auth?.basic ? [fillText(username, values), fillText(password, values)] : [username, password];
  const credentials = `${name}:${secret}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Decodes credentials of a URL, which may contain an unencoded %. */
function decoded(text: string): string {
  return /%(?![0-9a-f]{2})/i.test(text) ? text : Buffer.from(unescape(text), 'latin1').toString();
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The URL of a request for display: unresolved, with variables substituted and without a password. */
export function shownUrl({ url }: HttpRequest, values: Values): string {
  return fillUrl(url, values).replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
}
