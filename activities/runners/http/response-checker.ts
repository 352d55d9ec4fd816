import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CheckResult, CheckTask } from './check-response.js';
import { createFairQueue } from './fair-queue.js';

/** A schema of 64 KiB or a response of 5 MiB takes up to 2 s on a busy machine. */
const DEADLINE_MS = 5000;
const START_MS = 30_000;
const MAX_MEMORY_MIB = 512;
/** A project can occupy one thread; the other remains for other projects. */
const THREADS = 2;

/** Checks responses against expectations in threads, so that a slow check does not block the worker. */
export interface ResponseChecker {
  /**
   * Checks in turns: a slow check only delays its own project.
   * @returns failed expectations, or that the check was ended: it took longer than 5 s, or too much memory
   * @throws the signal's reason when it is aborted first
   */
  check(projectId: string, task: CheckTask, signal: AbortSignal): Promise<CheckResult>;
  close(): Promise<void>;
}

/**
 * A few threads for all tests of a worker, started on demand. A regular expression, a JSONPath or a schema can run
 * forever, and only a thread can be terminated.
 */
export function createResponseChecker(deadlineMs = DEADLINE_MS): ResponseChecker {
  const idle: Worker[] = [];
  const queue = createFairQueue(THREADS);
  const running = new Set<Promise<unknown>>();

  async function checkInThread(task: CheckTask, stop: AbortSignal): Promise<CheckResult> {
    const thread = idle.pop() ?? (await startThread());
    let isFinished = false;
    const ended = new AbortController();
    // A stopped check frees its slot at once.
    const signal = AbortSignal.any([ended.signal, stop]);
    try {
      thread.postMessage(task);
      const result = await Promise.race([
        once(thread, 'message', { signal }).then(([message]) => message as CheckResult),
        once(thread, 'exit', { signal }).then(() =>
          Promise.reject(new Error('The thread that checks responses exited.')),
        ),
        sleep(deadlineMs, undefined, { signal }),
      ]);
      if (!result) return givenUp(`it took longer than ${deadlineMs / 1000} s`);
      isFinished = true;
      return result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      return givenUp('it took too much memory');
    } finally {
      ended.abort();
      if (isFinished) idle.push(thread);
      else await thread.terminate();
    }
  }

  return {
    check(projectId, task, signal) {
      const check = queue.run(projectId, signal, () => checkInThread(task, signal));
      running.add(check);
      const remove = () => running.delete(check);
      check.then(remove, remove);
      return unlessAborted(check, signal);
    },
    async close() {
      await Promise.allSettled(running);
      await Promise.all(idle.splice(0).map((thread) => thread.terminate()));
    },
  };
}

/** @returns the thread when its modules are loaded */
async function startThread(): Promise<Worker> {
  const thread = new Worker(threadProgram(), {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MIB },
  });
  // A check in progress observes the exit itself; an idle thread may exit at any time.
  thread.on('error', () => {}).unref();
  await once(thread, 'message', { signal: AbortSignal.timeout(START_MS) });
  return thread;
}

/** TypeScript in a checkout, where the thread must register a loader; JavaScript in a build. */
function threadProgram(): URL {
  if (!import.meta.url.endsWith('.ts')) return new URL('./check-thread.js', import.meta.url);
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/esm/api')).href.replace(/cjs$/, 'mjs');
  const program = new URL('./check-thread.ts', import.meta.url).href;
  return new URL(`data:text/javascript,import{register}from"${tsx}";register();await import("${program}")`);
}

function givenUp(why: string): CheckResult {
  const text = `the response could not be checked: ${why}. Use a simpler regular expression, JSONPath or schema`;
  return { failures: [{ text }], captured: {}, isGivenUp: true };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}
