import type { Logger } from './logger.js';

export interface OutageTexts {
  /** Warning at the first failure. */
  failing: string;
  /** Message at the first success after a failure; absent: not logged. */
  working?: string;
}

/** Logs an outage once rather than at each attempt. */
export interface OutageLog {
  failed(error: unknown): void;
  succeeded(): void;
  isFailing(): boolean;
}

/** @param isNews whether a further failure is different enough to be logged; default: never */
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
