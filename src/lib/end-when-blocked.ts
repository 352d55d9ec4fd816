import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

const LIMIT_MS = 10_000;
const CHECKS = 10;

/*
 * JavaScript, because a checkout's threads cannot load TypeScript. A check that is late means that this thread stood still
 * as well: the process was suspended, which is no fault of its event loop. SIGKILL, because every other end of a process
 * needs its event loop, and because a worker's reaper then ends the tests. The line is written without waiting for it: a
 * reader of stderr that hangs may be why the event loop is blocked.
 */
const THREAD = `
const { write } = require('node:fs');
const { workerData: { beats, everyMs, checks, line } } = require('node:worker_threads');
const kill = () => process.kill(process.pid, 'SIGKILL');
let last = 0;
let missed = 0;
let checkedAt = performance.now();
setInterval(() => {
  const now = performance.now();
  const wasSuspended = now - checkedAt > 2 * everyMs;
  checkedAt = now;
  const [beat, isDebugged] = [Atomics.load(beats, 0), Atomics.load(beats, 1)];
  missed = beat !== last || isDebugged || wasSuspended ? 0 : missed + 1;
  last = beat;
  if (missed !== checks) return;
  write(2, JSON.stringify({ level: 60, time: Date.now(), ...line }) + '\\n', kill);
  setTimeout(kill, everyMs);
}, everyMs);
`;

/**
 * From now on, a thread kills this process with SIGKILL when its event loop is blocked, unless a debugger is attached.
 * Keeps nothing alive.
 * @param name of the process, for the line on stderr, which has the format of the log
 * @param onFailure called when the thread ended and the event loop is no longer watched
 * @param limitMs how long the event loop may be blocked
 */
export function endWhenBlocked(name: string, onFailure: (error: Error) => void, limitMs = LIMIT_MS): void {
  const everyMs = limitMs / CHECKS;
  const beats = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const msg = `the event loop was blocked for ${limitMs / 1000} s; the process is killed so that its tests run on another worker`;
  const thread = new Worker(THREAD, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { beats, everyMs, checks: CHECKS, line: { pid: process.pid, name, msg } },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.on('error', onFailure).unref();
  setInterval(() => {
    Atomics.add(beats, 0, 1);
    Atomics.store(beats, 1, inspectorUrl() ? 1 : 0);
  }, everyMs).unref();
}
