import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * The format of all tokens: prefix, 256 random bits, checksum. Prefix and checksum let secret scanners find leaked tokens
 * without false positives; the service only stores hashes.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

export const TOKEN_PREFIXES = { webhook: 'rhwh_', api: 'rhat_', session: 'rhse_', invitation: 'rhin_' } as const;

export type TokenKind = keyof typeof TOKEN_PREFIXES;

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

/** A new token: the prefix of its kind + 43 characters of secret + 6 of checksum. */
export function newToken(kind: TokenKind): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);
  return TOKEN_PREFIXES[kind] + secret + checksum(secret);
}

/** Whether `text` has the form of a token of this kind, checksum included. */
export function looksLikeToken(kind: TokenKind, text: string): boolean {
  const prefix = TOKEN_PREFIXES[kind];
  const secret = text.slice(prefix.length, prefix.length + SECRET_LENGTH);
  return text.startsWith(prefix) && secret.length === SECRET_LENGTH && text === prefix + secret + checksum(secret);
}

/** Stored and looked up instead of the token: SHA-256, hex. 256 random bits need no salt. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
