import type { Logger } from '#src/lib/logger.js';

/** Interval between two checks, in ms. */
const CHECK_EVERY_MS = 15_000;
/** Minimum interval between two set-ups that refused starts cause, in ms. */
const REFUSED_EVERY_MS = 30_000;

export interface TemporalSetUpWatchDeps {
  /** Idempotent. */
  setUp(): Promise<void>;
  /** Cheap. @throws when Temporal does not respond */
  isSetUp(): Promise<boolean>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export type TemporalSetUpWatch = ReturnType<typeof watchTemporalSetUp>;

/**
 * Sets Temporal up when a server starts, after an outage, and when Temporal has lost its data, so that no one has to
 * run `runhook setup`. A recurring problem is logged once.
 */
export function watchTemporalSetUp({ setUp, isSetUp, log }: TemporalSetUpWatchDeps) {
  let isKnownSetUp = false;
  let lastProblem = '';
  let lastAttemptAt = 0;
  let running: Promise<void> | undefined;
  let stopped = false;

  function run(): void {
    running ??= ensureSetUp().finally(() => (running = undefined));
  }

  async function ensureSetUp(): Promise<void> {
    try {
      if (isKnownSetUp && (await isSetUp())) return;
      lastAttemptAt = Date.now();
      await setUp();
      if (lastProblem || isKnownSetUp) log.info('Temporal set up again');
      lastProblem = '';
      isKnownSetUp = true;
    } catch (error) {
      // Missing permissions need an operator: do not retry until Temporal has been unavailable.
      isKnownSetUp = (error as Error).name === 'SetUpDeniedError';
      const problem = (error as Error).message;
      if (problem !== lastProblem && !stopped) log.warn({ err: error }, 'could not set up Temporal');
      lastProblem = problem;
    }
  }

  run();
  const timer = setInterval(run, CHECK_EVERY_MS).unref();

  return {
    /** Temporal is available but refused a start: it may have lost its set-up. */
    startRefused() {
      if (Date.now() - lastAttemptAt < REFUSED_EVERY_MS) return;
      isKnownSetUp = false;
      run();
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
