import { lookup as contentTypeOf } from 'mrmime';
import type { HttpTest } from '#src/domain/targets/definitions.js';
import type { HttpRequest } from '#src/domain/http-test/http-test.js';
import { fillAddress, fillJson, fillText, type Values } from './values.js';
import { BadRequestError } from './bad-request.js';
import type { FileRoot } from '#activities/files/open-inside.js';
import { readBelow } from './files.js';

/** A request as it is sent. */
export interface OutgoingRequest {
  method: string;
  url: URL;
  /** By lower-case name. */
  headers: Record<string, string>;
  body?: Buffer;
}

/**
 * What a request of a test comes to with its variables in their places.
 * @param files where its files are
 * @throws VariableMissingError, BadRequestError; the signal's reason
 */
export async function outgoing(
  test: Pick<HttpTest, 'baseUrl' | 'headers'>,
  request: HttpRequest,
  values: Values,
  files: FileRoot,
  signal: AbortSignal,
): Promise<OutgoingRequest> {
  const url = addressOf(test.baseUrl, request, values);
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
  return { method: request.method ?? 'GET', url, headers, ...(body && { body }) };
}

function addressOf(baseUrl: string | undefined, { url: written, query = {} }: HttpRequest, values: Values): URL {
  const filled = fillAddress(written, values);
  const url = /^https?:\/\//i.test(filled) ? filled : `${baseOf(baseUrl, filled, values)}${filled}`;
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new BadRequestError(
      `the URL is invalid: ${url}. It must start with http:// or https://, or be relative to the test’s baseUrl.`,
    );
  const address = new URL(url);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) address.searchParams.append(fillText(name, values), fillText(one, values));
  return address;
}

/** What is put in front of a path, whose slashes it may end with or not. */
function baseOf(baseUrl: string | undefined, path: string, values: Values): string {
  if (baseUrl === undefined)
    throw new BadRequestError(
      `the URL ${path} is relative, and the test has no baseUrl. Set baseUrl, or use an absolute URL (https://…).`,
    );
  const base = fillAddress(baseUrl, values).replace(/\/+$/, '');
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
      body: await readBelow(files, path, signal),
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

/** Of an address, where a lone % may stand for itself. */
function decoded(text: string): string {
  return /%(?![0-9a-f]{2})/i.test(text) ? text : Buffer.from(unescape(text), 'latin1').toString();
}

function lowerCase(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** How a request's address is shown: as it is written, with variables in their places and no password. */
export function shownAddress({ url }: HttpRequest, values: Values): string {
  return fillAddress(url, values).replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
}
