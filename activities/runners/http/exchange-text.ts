import { STATUS_CODES } from 'node:http';
import { isUtf8 } from 'node:buffer';
import type { HttpResponse } from './client.js';
import type { Exchange } from './send.js';

/** Bytes of a body that the log shows. */
const SHOWN_BYTES = 1024;
/** Bytes of a body that are masked before it is truncated: half a secret would not be recognized. */
const MASKED_BYTES = 64 * 1024;
const HIDDEN = '***';

/**
 * The log text of an exchange, without credentials and values of cookies.
 * @param mask masks the run's secrets
 */
export function exchangeText({ request, response }: Exchange, mask: (text: string) => string): string {
  const { method, url, headers, body } = request;
  const lines = [
    `> ${method} ${url.href}`,
    ...Object.entries(headers).map(([name, value]) => header('>', name, value)),
  ];
  if (body?.length) lines.push('>', ...shownBody('>', body, headers['content-type'], mask));
  if (response) lines.push(...responseLines(response, mask));
  return mask(`${lines.join('\n')}\n`);
}

function responseLines(response: HttpResponse, mask: (text: string) => string): string[] {
  const { status, headers, body } = response;
  return [
    `< ${status} ${STATUS_CODES[status] ?? ''} (${timesText(response)})`,
    ...Object.entries(headers).flatMap(([name, values]) => values.map((value) => header('<', name, value))),
    ...(body.length > 0 ? ['<', ...shownBody('<', body, headers['content-type']?.[0], mask)] : []),
  ];
}

/** Timing of an exchange. */
export function timesText({ connectMs, firstByteMs, totalMs }: HttpResponse): string {
  const connection = connectMs === undefined ? 'connection reused' : `connected after ${Math.round(connectMs)} ms`;
  return `${connection}, first byte after ${Math.round(firstByteMs)} ms, total ${Math.round(totalMs)} ms`;
}

function header(mark: string, name: string, value: string): string {
  return `${mark} ${name}: ${shownValue(name, value)}`;
}

function shownValue(name: string, value: string): string {
  switch (name) {
    case 'authorization':
    case 'proxy-authorization':
      return value.replace(/^(\S+ )?.*$/s, `$1${HIDDEN}`);
    case 'cookie':
      return value.replace(/=[^;]*/g, `=${HIDDEN}`);
    case 'set-cookie':
      return value.replace(/=[^;]*/, `=${HIDDEN}`);
    default:
      return value;
  }
}

function shownBody(mark: string, body: Buffer, type: string | undefined, mask: (text: string) => string): string[] {
  const text = textOf(body);
  if (text === undefined) return [`${mark} ${sizeText(body.length)} of ${type ?? 'an unknown type'}`];
  const shown = truncated(mask(text), SHOWN_BYTES);
  const isTruncated = shown.length < text.length || body.length > MASKED_BYTES;
  return [...shown.split(/\r?\n/), ...(isTruncated ? [`… ${sizeText(body.length)} in total`] : [])].map(
    (line) => `${mark} ${line}`,
  );
}

/** The beginning of a response body for a message; empty if it is empty or not text. */
export function beginningOf({ body }: HttpResponse, length: number, mask: (text: string) => string): string {
  const text = mask(textOf(body) ?? '').trim();
  const shown = truncated(text, length).replace(/\s+/g, ' ');
  return shown.length < text.replace(/\s+/g, ' ').length ? `${shown}…` : shown;
}

/** The beginning of a body; undefined if it is not text. */
function textOf(body: Buffer): string | undefined {
  const beginning = body.subarray(0, MASKED_BYTES);
  // The subarray may end within a character of up to four bytes.
  const isText = [0, 1, 2, 3].some((bytes) => isUtf8(beginning.subarray(0, beginning.length - bytes)));
  return isText && !beginning.includes(0) ? beginning.toString() : undefined;
}

/** Truncates without splitting a surrogate pair. */
export function truncated(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`;
}
