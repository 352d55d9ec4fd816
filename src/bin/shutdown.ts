import type { Logger } from '../logger.js';

/**
 * Runs `stop` at the first SIGTERM or SIGINT and ends the process; past `deadlineMs` it ends without waiting on.
 * A second signal ends it at once.
 */
export function onShutdown(log: Logger, deadlineMs: number, stop: () => Promise<void>): void {
  let stopping = false;
  const end = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130);
    stopping = true;
    log.info({ signal }, 'shutting down');
    const late = setTimeout(() => {
      log.error({ deadlineMs }, 'shutdown took too long; ending without it');
      process.exit(1);
    }, deadlineMs);
    late.unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
