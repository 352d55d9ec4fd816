import type { Logger } from './logger.js';

export interface OutageTexts {
  /** A warning at the first failure. */
  failing: string;
  /** At the first success after it; none, nothing is logged then. */
  working?: string;
}

/** Logs trouble once, not at each try. */
export interface OutageLog {
  failed(error: unknown): void;
  succeeded(): void;
  isFailing(): boolean;
}

/** @param isNews whether a failure differs enough from the one before it to be logged too; absent: it never does */
export function createOutageLog(
  log: Pick<Logger, 'warn'> & Partial<Pick<Logger, 'info'>>,
  { failing, working }: OutageTexts,
  isNews: (error: Error, last: Error) => boolean = () => false,
): OutageLog {
  let last: Error | undefined;
  return {
    failed(error) {
      if (!last || isNews(error as Error, last)) log.warn({ err: error }, failing);
      last = error as Error;
    },
    succeeded() {
      if (last && working !== undefined) log.info?.(working);
      last = undefined;
    },
    isFailing: () => last !== undefined,
  };
}
