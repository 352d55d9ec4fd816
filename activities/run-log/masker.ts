import { secretForms } from './secret-forms.js';

const MASK = Buffer.from('***');
/** Minimum length of a form of a secret; forms are looked up by these first bytes. */
const KEY_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** Masks secrets in a stream of bytes, even if they span chunks. */
export interface Masker {
  /** Returns the masked output so far; only a possible beginning of a secret is held back. */
  push(chunk: Buffer): Buffer;
  /** Ends the stream and returns the masked rest. */
  end(): Buffer;
}

/** Masks the secrets of a run. */
export interface SecretMask {
  /** For one stream. */
  stream(): Masker;
  /** Masks a text. */
  text(text: string): string;
}

/** @returns undefined if there is nothing to mask, so that callers can skip it */
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

/** The forms of secrets, indexed by their first bytes. */
interface FormIndex {
  /** By a hash of the first four bytes: rejects most positions with one lookup. */
  maybe: Uint8Array;
  byKey: Map<number, Buffer[]>;
  /** Prefixes of less than four bytes, as Latin-1. */
  prefixes: Set<string>;
}

const slot = (key: number) => Math.imul(key, 0x9e3779b1) >>> 16;

function indexOf(forms: readonly Buffer[]): FormIndex {
  const index: FormIndex = { maybe: new Uint8Array(65_536), byKey: new Map(), prefixes: new Set() };
  for (const form of forms) {
    const key = form.readUInt32BE(0);
    index.maybe[slot(key)] = 1;
    index.byKey.set(key, [...(index.byKey.get(key) ?? []), form]);
    for (let length = 1; length < KEY_BYTES; length++) index.prefixes.add(form.toString('latin1', 0, length));
  }
  return index;
}

function createMasker(index: FormIndex): Masker {
  let held: Buffer = NOTHING;
  /** Number of held bytes that belong to a secret whose mask was already written. */
  let covered = 0;

  /** @param isLast end of the stream: a prefix of a secret is no longer held back */
  function mask(bytes: Buffer, isLast: boolean): Buffer {
    const { matches, begins } = search(index, bytes);
    const end = isLast ? bytes.length : begins;
    const pieces: Buffer[] = [];
    let done = covered;
    for (const [from, to] of matches) {
      if (from >= end) break;
      // Overlapping matches share one mask.
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
 * @returns the matches, the longest at each position, in order; and the first position from which all remaining bytes
 *   are a prefix of a form (the length of `bytes` if there is none)
 */
function search(index: FormIndex, bytes: Buffer): { matches: [from: number, to: number][]; begins: number } {
  const { maybe, byKey, prefixes } = index;
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
    if (prefixes.has(bytes.toString('latin1', at))) begins = at;
  return { matches, begins };
}
