import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './cli-error.js';
import type { Io } from './io.js';

/** One reader for all prompts: a second one would lose lines that the first has read ahead. */
const readers = new WeakMap<
  object,
  { lines: AsyncIterator<string>; screen: { isMuted: boolean }; reader: Interface }
>();

/**
 * Reads a line: with a prompt on a terminal, without one from a pipe.
 * @param options `hidden`: do not echo the input
 * @throws UsageError at the end of the input
 */
export async function ask(io: Io, question: string, options: { hidden?: boolean } = {}): Promise<string> {
  const { lines, screen, reader } = readers.get(io.stdin) ?? open(io);
  const isTerminal = io.stdin.isTTY === true;
  if (isTerminal) {
    io.stderr.write(question);
    screen.isMuted = options.hidden === true;
  }
  reader.resume();
  const { value, done } = await lines.next();
  reader.pause();
  if (isTerminal && options.hidden) io.stderr.write('\n');
  screen.isMuted = false;
  if (done) throw new UsageError(`Standard input ended before "${question.replace(/:\s*$/, '')}" was answered.`);
  return value;
}

/** Asks for confirmation. Without a terminal, the answer is no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  if (!io.stdin.isTTY) return false;
  return /^\s*y/i.test(await ask(io, `${question} [y/N] `));
}

function open(io: Io) {
  const screen = { isMuted: false };
  // The reader's echo goes to the terminal unless the input is secret.
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!screen.isMuted) io.stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: io.stdin, output, terminal: io.stdin.isTTY === true });
  // Raw mode makes Ctrl-C a key.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const opened = { lines: reader[Symbol.asyncIterator](), screen, reader };
  readers.set(io.stdin, opened);
  return opened;
}
