import type { Readable, Writable } from 'node:stream';

/** What the command has of the world around it; tests bring their own. */
export interface Io {
  env: Record<string, string | undefined>;
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  /** Calls `listener` at each Ctrl-C or SIGTERM, instead of ending the process. @returns what takes it away again */
  onInterrupt(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
}

/** The process's own. */
export function processIo(): Io {
  // `runhook run logs … | head`: whoever reads has seen enough.
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
