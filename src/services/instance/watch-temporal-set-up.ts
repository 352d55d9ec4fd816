import type { Logger } from '#src/lib/logger.js';

/** How often it is looked at, in ms; also the shortest time between two set-ups because of refused starts. */
const LOOK_EVERY_MS = 15_000;
const REFUSED_EVERY_MS = 30_000;

export interface TemporalSetUpWatchDeps {
  /** Idempotent. */
  setUp(): Promise<void>;
  /** A cheap look. @throws when Temporal does not answer */
  isSetUp(): Promise<boolean>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface TemporalSetUpWatch {
  /** A start was refused although Temporal is there: perhaps it has lost what set-up made. */
  startRefused(): void;
  stop(): void;
}

/**
 * Keeps Temporal set up while a server runs: at its start, when Temporal is back after it was away, and when it has lost
 * its data. Nobody has to run `runhook setup` for that. Trouble is logged once, not at each try.
 */
export function watchTemporalSetUp({ setUp, isSetUp, log }: TemporalSetUpWatchDeps): TemporalSetUpWatch {
  let isCertain = false;
  let lastProblem = '';
  let lastTryAt = 0;
  let underWay: Promise<void> | undefined;
  let stopped = false;

  function run(): void {
    underWay ??= once().finally(() => (underWay = undefined));
  }

  async function once(): Promise<void> {
    try {
      if (isCertain && (await isSetUp())) return;
      lastTryAt = Date.now();
      await setUp();
      if (lastProblem || isCertain) log.info('Temporal set up again');
      lastProblem = '';
      isCertain = true;
    } catch (error) {
      // What needs an operator is looked at again when Temporal has been away, not all the time.
      isCertain = (error as Error).name === 'SetUpDeniedError';
      const problem = (error as Error).message;
      if (problem !== lastProblem && !stopped) log.warn({ err: error }, 'could not set up Temporal');
      lastProblem = problem;
    }
  }

  run();
  const timer = setInterval(run, LOOK_EVERY_MS).unref();

  return {
    startRefused() {
      if (Date.now() - lastTryAt < REFUSED_EVERY_MS) return;
      isCertain = false;
      run();
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
