import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CheckResult, CheckTask } from './check-answer.js';
import { createFairTurns } from './fair-turns.js';

/** A schema of 64 KiB or an answer of 5 MiB takes a second or two on a busy machine. */
const DEADLINE_MS = 5000;
const START_MS = 30_000;
const MOST_MEMORY_MIB = 512;
/** One project may keep one busy; the others then have the other. */
const THREADS = 2;

/** Holds answers against what is expected of them, where nothing that a test looks for can hold anything else up. */
export interface AnswerChecker {
  /**
   * Projects take turns: one whose checks take long delays its own.
   * @returns what does not hold, or that the check was given up: it took longer than 5 s, or too much memory
   * @throws the signal's reason when it is aborted first
   */
  check(projectId: string, task: CheckTask, signal: AbortSignal): Promise<CheckResult>;
  close(): Promise<void>;
}

/**
 * A few threads for all tests of a worker, started when they are first needed: a regular expression, a JSONPath or a schema
 * can take for ever on the right answer, and a thread can be ended.
 */
export function createAnswerChecker(deadlineMs = DEADLINE_MS): AnswerChecker {
  const idle: Worker[] = [];
  const turns = createFairTurns(THREADS);
  const running = new Set<Promise<unknown>>();

  async function ask(task: CheckTask, stop: AbortSignal): Promise<CheckResult> {
    const asked = idle.pop() ?? (await startThread());
    let hasAnswered = false;
    const over = new AbortController();
    // A check that is stopped gives its place back at once.
    const signal = AbortSignal.any([over.signal, stop]);
    try {
      asked.postMessage(task);
      const result = await Promise.race([
        once(asked, 'message', { signal }).then(([message]) => message as CheckResult),
        once(asked, 'exit', { signal }).then(() =>
          Promise.reject(new Error('The thread that checks responses exited.')),
        ),
        sleep(deadlineMs, undefined, { signal }),
      ]);
      if (!result) return givenUp(`it took longer than ${deadlineMs / 1000} s`);
      hasAnswered = true;
      return result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      return givenUp('it took too much memory');
    } finally {
      over.abort();
      if (hasAnswered) idle.push(asked);
      else await asked.terminate();
    }
  }

  return {
    check(projectId, task, signal) {
      const turn = turns.take(projectId, signal, () => ask(task, signal));
      running.add(turn);
      const isOver = () => running.delete(turn);
      turn.then(isOver, isOver);
      return unlessAborted(turn, signal);
    },
    async close() {
      await Promise.allSettled(running);
      await Promise.all(idle.splice(0).map((thread) => thread.terminate()));
    },
  };
}

/** @returns the thread when it is ready: its modules are loaded */
async function startThread(): Promise<Worker> {
  const thread = new Worker(programOfThread(), {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MIB },
  });
  // Whoever waits for it hears of its end; idle, it may end as it likes.
  thread.on('error', () => {}).unref();
  await once(thread, 'message', { signal: AbortSignal.timeout(START_MS) });
  return thread;
}

/** TypeScript in a checkout (tests), which a thread has to be taught; JavaScript when built. */
function programOfThread(): URL {
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
