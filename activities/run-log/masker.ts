import { secretForms } from './secret-forms.js';

const MASK = Buffer.from('***');
/** Every form of a secret has so many bytes at least: by its first ones it is found. */
const KEY_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** Masks secrets in one stream of bytes, whatever the pieces in which it comes. */
export interface Masker {
  /** What of the stream so far can be shown; held back is only what may be the beginning of a secret. */
  push(chunk: Buffer): Buffer;
  /** What was held back: no more comes. */
  end(): Buffer;
}

/** The secrets of a run, ready to be looked for. */
export interface SecretMask {
  /** For one stream. */
  stream(): Masker;
  /** A text with its secrets masked. */
  text(text: string): string;
}

/** @returns undefined when there is nothing to mask: then nothing needs to be looked through */
export function createSecretMask(secrets: readonly string[]): SecretMask | undefined {
  const forms = secretForms(secrets).map((form) => Buffer.from(form));
  if (forms.length === 0) return undefined;
  const index = indexOf(forms);
  const stream = () => createMasker(index);
  return {
    stream,
    text(text) {
      const masker = stream();
      return Buffer.concat([masker.push(Buffer.from(text)), masker.end()]).toString();
    },
  };
}

/** The forms by their first bytes. */
interface FormIndex {
  /** By a hash of the first four: most places of an output are passed with one look. */
  maybe: Uint8Array;
  byKey: Map<number, Buffer[]>;
  /** Beginnings of less than four bytes, as Latin-1. */
  beginnings: Set<string>;
}

const slot = (key: number) => Math.imul(key, 0x9e3779b1) >>> 16;

function indexOf(forms: readonly Buffer[]): FormIndex {
  const index: FormIndex = { maybe: new Uint8Array(65_536), byKey: new Map(), beginnings: new Set() };
  for (const form of forms) {
    const key = form.readUInt32BE(0);
    index.maybe[slot(key)] = 1;
    index.byKey.set(key, [...(index.byKey.get(key) ?? []), form]);
    for (let length = 1; length < KEY_BYTES; length++) index.beginnings.add(form.toString('latin1', 0, length));
  }
  return index;
}

function createMasker(index: FormIndex): Masker {
  let held: Buffer = NOTHING;
  /** So many of the held bytes belong to a secret whose mask is out already. */
  let covered = 0;

  /** @param isLast no more follows: what only begins like a secret is none */
  function mask(bytes: Buffer, isLast: boolean): Buffer {
    const { matches, begins } = search(index, bytes);
    const end = isLast ? bytes.length : begins;
    const pieces: Buffer[] = [];
    let done = covered;
    for (const [from, to] of matches) {
      if (from >= end) break;
      // One that overlaps the one before it shares its mask.
      if (from >= done) pieces.push(bytes.subarray(done, from), MASK);
      done = Math.max(done, to);
    }
    if (done < end) pieces.push(bytes.subarray(done, end));
    covered = Math.max(0, done - end);
    held = end < bytes.length ? Buffer.from(bytes.subarray(end)) : NOTHING;
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  return {
    push: (chunk) => mask(held.length > 0 ? Buffer.concat([held, chunk]) : chunk, false),
    end: () => mask(held, true),
  };
}

/**
 * @returns where forms stand, the longest at each place, in order; and the first place from which all that is there is
 *   the beginning of one (the length of `bytes` when there is none)
 */
function search(index: FormIndex, bytes: Buffer): { matches: [from: number, to: number][]; begins: number } {
  const { maybe, byKey, beginnings } = index;
  const { length } = bytes;
  const matches: [number, number][] = [];
  let begins = length;
  let key = 0;
  for (let at = 1 - KEY_BYTES; at + KEY_BYTES <= length; at++) {
    key = ((key << 8) | bytes[at + KEY_BYTES - 1]!) >>> 0;
    if (at < 0 || maybe[slot(key)] === 0) continue;
    let to = at;
    for (const form of byKey.get(key) ?? []) {
      const whole = at + form.length;
      if (whole <= to || (whole > length && begins < length)) continue;
      if (form.compare(bytes, at, Math.min(whole, length), 0, Math.min(form.length, length - at)) !== 0) continue;
      if (whole <= length) to = whole;
      else begins = at;
    }
    if (to > at) matches.push([at, to]);
  }
  for (let at = Math.max(0, length - KEY_BYTES + 1); at < begins; at++)
    if (beginnings.has(bytes.toString('latin1', at))) begins = at;
  return { matches, begins };
}
