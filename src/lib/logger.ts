import { pino, type Logger } from 'pino';

export type { Logger };

/** Logs JSON lines to stdout. @param level one of pino's levels */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level, base: { pid: process.pid } });
}
