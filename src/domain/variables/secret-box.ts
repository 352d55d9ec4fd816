import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/*
 * Encryption of secrets at rest with AES-256-GCM. A sealed text is `v1.<key id>.<nonce>.<text and tag>`, the last two in
 * base64url; the key id identifies the key without revealing it.
 */
const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encryption or decryption failed; the message contains no secret. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError';
}

function idOfKey(key: Buffer): string {
  return createHmac('sha256', key).update('runhook key id').digest('hex').slice(0, 16);
}

/**
 * Encrypts a text with the first of the keys.
 * @param keys 32 bytes each, newest first
 * @throws SecretBoxError when there is no key
 */
export function seal(keys: readonly Buffer[], plaintext: string): string {
  const key = keys[0];
  if (!key) throw new SecretBoxError('The encryption key is missing. Set RUNHOOK_SECRET_KEYS.');
  const header = `${VERSION}.${idOfKey(key)}`;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(header));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${header}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

/** Whether a text was encrypted with this key. */
export function isSealedWith(key: Buffer, sealed: string): boolean {
  return sealed.startsWith(`${VERSION}.${idOfKey(key)}.`);
}

/**
 * Decrypts a text of `seal`.
 * @param keys 32 bytes each, in any order
 * @throws SecretBoxError when its key is not among them, or the text was modified
 */
export function open(keys: readonly Buffer[], sealed: string): string {
  const [version, keyId, nonce, body, ...rest] = sealed.split('.');
  if (version !== VERSION || !keyId || !nonce || !body || rest.length > 0)
    throw new SecretBoxError('The encrypted text has an unknown format.');
  const key = keys.find((candidate) => idOfKey(candidate) === keyId);
  if (!key)
    throw new SecretBoxError(
      `The key ${keyId} that encrypted this is missing. Add the previous key to RUNHOOK_SECRET_KEYS, after the current one.`,
    );
  try {
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(`${version}.${keyId}`))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SecretBoxError('The encrypted text was modified.', { cause });
  }
}
