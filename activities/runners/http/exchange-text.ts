import { STATUS_CODES } from 'node:http';
import { isUtf8 } from 'node:buffer';
import type { Answer } from './client.js';
import type { Exchange } from './send.js';

/** Of a body, in the log. */
const SHOWN_BYTES = 1024;
/** So much of a body is looked through for secrets before it is cut: half a secret would not be known for one. */
const LOOKED_THROUGH = 64 * 1024;
const HIDDEN = '***';

/**
 * An exchange as the log shows it, without what opens something: credentials and the values of cookies.
 * @param mask masks the run's secrets
 */
export function exchangeText({ request, answer }: Exchange, mask: (text: string) => string): string {
  const { method, url, headers, body } = request;
  const lines = [
    `> ${method} ${url.href}`,
    ...Object.entries(headers).map(([name, value]) => header('>', name, value)),
  ];
  if (body?.length) lines.push('>', ...shownBody('>', body, headers['content-type'], mask));
  if (answer) lines.push(...answerLines(answer, mask));
  return mask(`${lines.join('\n')}\n`);
}

function answerLines(answer: Answer, mask: (text: string) => string): string[] {
  const { status, headers, body } = answer;
  return [
    `< ${status} ${STATUS_CODES[status] ?? ''} (${timesText(answer)})`,
    ...Object.entries(headers).flatMap(([name, values]) => values.map((value) => header('<', name, value))),
    ...(body.length > 0 ? ['<', ...shownBody('<', body, headers['content-type']?.[0], mask)] : []),
  ];
}

/** How long the parts of an exchange took. */
export function timesText({ connectMs, firstByteMs, totalMs }: Answer): string {
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
  const shown = cut(mask(text), SHOWN_BYTES);
  const isCut = shown.length < text.length || body.length > LOOKED_THROUGH;
  return [...shown.split(/\r?\n/), ...(isCut ? [`… ${sizeText(body.length)} in total`] : [])].map(
    (line) => `${mark} ${line}`,
  );
}

/** The beginning of an answer's body for a message; empty when it has none that can be read. */
export function beginningOf({ body }: Answer, length: number, mask: (text: string) => string): string {
  const text = mask(textOf(body) ?? '').trim();
  const shown = cut(text, length).replace(/\s+/g, ' ');
  return shown.length < text.replace(/\s+/g, ' ').length ? `${shown}…` : shown;
}

/** The beginning of a body; undefined when it is not text. */
function textOf(body: Buffer): string | undefined {
  const beginning = body.subarray(0, LOOKED_THROUGH);
  // The cut may go through a character of up to four bytes.
  const isText = [0, 1, 2, 3].some((bytes) => isUtf8(beginning.subarray(0, beginning.length - bytes)));
  return isText && !beginning.includes(0) ? beginning.toString() : undefined;
}

/** Not through a character of two units. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`;
}
