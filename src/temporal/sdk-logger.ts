import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '#src/lib/logger.js';

/** Forwards the SDK's log; its metadata contains workflow and activity ids, never payloads. */
export function temporalLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => {
    const write = { TRACE: log.trace, DEBUG: log.debug, INFO: log.debug, WARN: log.warn, ERROR: log.error }[level];
    write.call(log, { ...meta, err: meta?.error }, message);
  });
}
