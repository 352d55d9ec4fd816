import { ConfigError } from '../config.js';
import { RefusedUrlError } from '../db/connect.js';

/** Runs an entry point: a wrong environment is a plain message, anything else a stack trace; both end with status 1. */
export function main(start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    console.error(error instanceof ConfigError || error instanceof RefusedUrlError ? error.message : error);
    process.exit(1);
  });
}
