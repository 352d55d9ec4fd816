import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const LOCK_TIMEOUT_MS = 20 * 60_000;

/** The folder of package.json. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Runs work that writes to node_modules/ or dist/, which one process at a time may do.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function underBuildLock(work) {
  const onWait = (pid) => console.error(`  Waiting for process ${pid}, which is building in this folder`);
  return withLock(path.join(root, '.runhook/build.lock'), { timeoutMs: LOCK_TIMEOUT_MS, onWait }, work);
}
