import { ConfigError } from '#src/config.js';
import { RefusedUrlError } from '#src/db/connection/connect.js';

/** Runs an entry point. Configuration errors are printed as messages, others with a stack trace; both exit with status 1. */
export function main(start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    console.error(error instanceof ConfigError || error instanceof RefusedUrlError ? error.message : error);
    process.exit(1);
  });
}
