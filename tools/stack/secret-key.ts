import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const KEY_BYTES = 32;

/**
 * The local stack's AES-256 key in base64, created at the first start (file mode 0600).
 * @throws Error when the file is invalid
 */
export function secretKey(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  const text = readFileSync(file, 'utf8').trim();
  if (Buffer.from(text, 'base64').length === KEY_BYTES) return text;
  throw new Error(
    `${file} does not contain a base64-encoded 32-byte key. Restore the original key; without it, stored tokens cannot be decrypted.`,
  );
}
