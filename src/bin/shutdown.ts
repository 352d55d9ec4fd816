import type { Logger } from '#src/lib/logger.js';

/**
 * Runs `stop` at the first SIGTERM or SIGINT and exits, at the latest after `deadlineMs`.
 * A second signal exits immediately.
 */
export function onShutdown(log: Logger, deadlineMs: number, stop: () => Promise<void>): void {
  let stopping = false;
  const end = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130);
    stopping = true;
    log.info({ signal }, 'shutting down');
    const late = setTimeout(() => {
      log.error({ deadlineMs }, 'shutdown timed out; exiting');
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
