import { createInterface } from 'node:readline/promises';
import { CliError } from '#src/cli/cli-error.js';
import { EXIT } from '#src/cli/exit-codes.js';
import type { Cli } from '#src/cli/cli.js';

export interface Interruptible {
  /** Aborted with a CliError when Ctrl-C ends the wait. */
  signal: AbortSignal;
  /** Whether a question is shown: nothing else may be drawn. */
  isAsking(): boolean;
  /** Restores the default handling of Ctrl-C. */
  close(): void;
}

/**
 * Handles Ctrl-C and SIGTERM while waiting for a run. On a terminal, the first Ctrl-C asks whether to stop the run as
 * well, and a second one ends the wait. Otherwise, the wait ends at once.
 * @param stop stops the run
 * @param hint how to stop or watch it later
 */
export function interruptible({ io, output }: Cli, stop: () => Promise<void>, hint: string): Interruptible {
  const ended = new AbortController();
  let asking: AbortController | undefined;
  const end = (words: string) => ended.abort(new CliError(words, EXIT.interrupted));
  const endWait = () => {
    asking?.abort();
    end(`Stopped waiting. The run continues. ${hint}`);
  };
  const close = io.onInterrupt((signal) => {
    if (asking || signal !== 'SIGINT' || !io.stdin.isTTY || !io.stderr.isTTY) return endWait();
    asking = new AbortController();
    void ask(asking.signal);
  });

  async function ask(signal: AbortSignal): Promise<void> {
    output.status(undefined);
    const lines = createInterface({ input: io.stdin, output: io.stderr });
    // In raw mode, Ctrl-C is a key for this question; a closed terminal cannot answer it.
    lines.on('SIGINT', endWait);
    lines.on('close', () => asking && endWait());
    try {
      const answer = await lines.question('\nStop the run as well? [y]es, [n]o, [c]ontinue waiting: ', { signal });
      asking = undefined;
      if (/^\s*c/i.test(answer)) return;
      if (!/^\s*y/i.test(answer)) return endWait();
      await stop();
      end('Stopping the run.');
    } catch (error) {
      if (!ended.signal.aborted) end(`Could not stop the run (${(error as Error).message}). ${hint}`);
    } finally {
      asking = undefined;
      lines.close();
    }
  }

  return { signal: ended.signal, isAsking: () => asking !== undefined, close };
}
