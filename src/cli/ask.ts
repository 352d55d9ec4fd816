import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './cli-error.js';
import type { Io } from './io.js';

/** One reader for all questions: a second one would lose the lines that the first has read ahead. */
const readers = new WeakMap<
  object,
  { lines: AsyncIterator<string>; screen: { isMuted: boolean }; reader: Interface }
>();

/**
 * Asks for a line: on a terminal with the question, from a pipe without.
 * @param options `hidden`: what is typed is not shown
 * @throws UsageError when the input is at its end
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
  if (done) throw new UsageError(`There is no answer to "${question.replace(/:\s*$/, '')}" on standard input.`);
  return value;
}

/** Asks for a yes. Without a terminal the answer is no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  if (!io.stdin.isTTY) return false;
  return /^\s*y/i.test(await ask(io, `${question} [y/N] `));
}

function open(io: Io) {
  const screen = { isMuted: false };
  // What the reader echoes goes to the terminal, unless it is secret.
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
