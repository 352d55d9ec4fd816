import fs from 'node:fs';
import path from 'node:path';
import { processIdentity } from './process-identity.mjs';

const POLL_MS = 100;
/** A take-over lasts a few file operations; one that is older than this was killed in the middle, in ms. */
const TAKE_OVER_MS = 10_000;

/** Another process holds the lock. */
export class LockHeldError extends Error {
  name = 'LockHeldError';
  /** @param {string} file @param {number} pid */
  constructor(file, pid) {
    super(`Process ${pid} holds ${file}`);
    this.pid = pid;
  }
}

/**
 * Takes a lock file. A lock whose holder was killed is taken over.
 * @param {string} file
 * @returns {() => void} releases it
 * @throws {LockHeldError} when a living process holds it
 */
export function takeLock(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  const draft = `${file}.${process.pid}`;
  for (;;) {
    // A link appears with its content at once, so nobody ever reads a lock half-written.
    fs.writeFileSync(draft, mine);
    try {
      fs.linkSync(draft, file);
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(draft, { force: true });
    }
    const holder = read(file);
    if (holder && isAlive(holder)) throw new LockHeldError(file, holder.pid);
    if (holder) removeStale(file);
  }
}

/**
 * Does some work under a lock, waiting for it when another process holds it.
 * @template T
 * @param {string} file
 * @param {{ timeoutMs: number, onWait?: (pid: number) => void }} options `onWait` is called once, with the process id of the holder
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {LockHeldError} when the time is up
 */
export async function withLock(file, { timeoutMs, onWait }, work) {
  const deadline = Date.now() + timeoutMs;
  let hasReported = false;
  let release;
  while (!release) {
    try {
      release = takeLock(file);
    } catch (error) {
      if (!(error instanceof LockHeldError) || Date.now() > deadline) throw error;
      if (!hasReported) onWait?.(error.pid);
      hasReported = true;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  try {
    return await work();
  } finally {
    release();
  }
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isAlive(holder) {
  return Boolean(holder.pid && holder.identity && processIdentity(holder.pid) === holder.identity);
}

/** Removes a lock of a dead process, unless another process is just doing so and may already have its own there. */
function removeStale(file) {
  const guard = `${file}.taking-over`;
  try {
    fs.mkdirSync(guard);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const since = fs.statSync(guard, { throwIfNoEntry: false })?.mtimeMs;
    if (since && Date.now() - since > TAKE_OVER_MS) fs.rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    const holder = read(file);
    if (holder && !isAlive(holder)) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { recursive: true, force: true });
  }
}
