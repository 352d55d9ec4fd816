import { createInterface } from 'node:readline/promises';
import { CliError } from '#src/cli/cli-error.js';
import { EXIT } from '#src/cli/exit-codes.js';
import type { Cli } from '#src/cli/cli.js';

export interface Interruptible {
  /** Aborted, with a CliError, when the wait is over for the person who pressed Ctrl-C. */
  signal: AbortSignal;
  /** The terminal belongs to the question: nothing else is drawn. */
  isAsking(): boolean;
  /** Back to what Ctrl-C does otherwise. */
  close(): void;
}

/**
 * Takes Ctrl-C and SIGTERM while a run is waited for. On a terminal a first Ctrl-C asks whether the run should stop too;
 * otherwise the wait just ends. A second one ends it at once.
 * @param stop stops the run
 * @param hint how to stop or watch it later
 */
export function interruptible({ io, voice }: Cli, stop: () => Promise<void>, hint: string): Interruptible {
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
    voice.status(undefined);
    const lines = createInterface({ input: io.stdin, output: io.stderr });
    // Raw mode makes Ctrl-C a key of this question; a closed terminal answers nothing any more.
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
