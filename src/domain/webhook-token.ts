import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * A project's webhook token: prefix, 256 random bits, checksum. The prefix and the checksum let secret scanners find
 * a leaked one without false alarms; the service itself only ever looks its hash up.
 */
const PREFIX = 'rhwh_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

/** A new token: `rhwh_` + 43 characters of secret + 6 of checksum. */
export function newWebhookToken(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH);
  return PREFIX + secret + checksum(secret);
}

/** Whether `text` has the form of a token, checksum included. */
export function looksLikeWebhookToken(text: string): boolean {
  const secret = text.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH);
  return text.startsWith(PREFIX) && secret.length === SECRET_LENGTH && text === PREFIX + secret + checksum(secret);
}

/** What is stored and looked up instead of the token: SHA-256, hex. 256 random bits need no salt. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
