import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { UnavailableError } from '#src/domain/errors.js';
import { normalPassword } from '#src/domain/people/password.js';

const COST: Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>> = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Each takes 128 MiB and one of Node's four threads. */
const AT_ONCE = 2;
/** A longer queue would exceed the response time. */
const MAX_WAITING = 8;
const RETRY_AFTER_SECONDS = 2;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

export function createPasswordHasher() {
  const withSlot = createSlots();
  const dummy = encode(COST, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    /** @returns `scrypt$N$r$p$salt$hash`. @throws UnavailableError when the queue is full */
    async hash(password: string) {
      const salt = randomBytes(SALT_BYTES);
      return encode(COST, salt, await withSlot(() => derive(password, salt, COST, HASH_BYTES)));
    },
    /**
     * @param stored undefined for an unknown account or one without a password: takes equally long and returns false
     * @throws UnavailableError when the queue is full
     */
    async verify(password: string, stored: string | undefined) {
      const { cost, salt, hash } = decode(stored ?? dummy);
      const derived = await withSlot(() => derive(password, salt, cost, hash.length));
      return timingSafeEqual(derived, hash) && stored !== undefined;
    },
  };
}

function derive(password: string, salt: Buffer, cost: typeof COST, length: number): Promise<Buffer> {
  // Above Node's default of 32 MiB: scrypt takes 128 * N * r bytes, and a little more.
  const maxmem = 128 * cost.N * cost.r + 1024 * 1024;
  return new Promise((resolve, reject) =>
    scrypt(normalPassword(password), salt, length, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

function encode({ N, r, p }: typeof COST, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** @throws Error for an unknown format */
function decode(stored: string): { cost: typeof COST; salt: Buffer; hash: Buffer } {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !hash) throw new Error('A stored password has an unknown format');
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

/** Runs AT_ONCE steps concurrently; others wait in order. */
function createSlots() {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(step: () => Promise<T>): Promise<T> => {
    if (running < AT_ONCE) running++;
    else if (waiting.length < MAX_WAITING) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new UnavailableError('Too many people are signing in at the moment. Try again.', RETRY_AFTER_SECONDS);
    try {
      return await step();
    } finally {
      const next = waiting.shift();
      // The slot passes to the next step directly.
      if (next) next();
      else running--;
    }
  };
}
