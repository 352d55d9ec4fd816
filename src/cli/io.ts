import type { Readable, Writable } from 'node:stream';

/** The command's environment; tests pass their own. */
export interface Io {
  env: Record<string, string | undefined>;
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** Calls `listener` for each SIGINT or SIGTERM, instead of exiting. @returns a function that removes the listener */
  onInterrupt(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
}

/** The environment of this process. */
export function processIo(): Io {
  // `runhook run logs … | head` closes the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 3);
  });
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onInterrupt(listener) {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      return () => {
        process.off('SIGINT', listener);
        process.off('SIGTERM', listener);
      };
    },
  };
}
