import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Io } from '#src/cli/io.js';
import type { ServerParts } from '#src/cli/server-parts.js';

export interface Invocation {
  /** stdout and stderr so far. */
  out: string;
  err: string;
  /** Presses Ctrl-C, or sends SIGTERM. */
  interrupt(signal?: 'SIGINT' | 'SIGTERM'): void;
  /** Types into stdin. */
  type(text: string): void;
  ended: Promise<number>;
}

export interface InvocationOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** Whether it is at a terminal. */
  isTTY?: boolean;
  cwd?: string;
  parts?: Partial<ServerParts>;
}

/** A folder for one test's settings. */
export const newHome = () => mkdtempSync(join(tmpdir(), 'runhook-cli-'));

/** Starts the command in this process, with separate streams. */
export function invoke(args: string[], options: InvocationOptions = {}): Invocation {
  const { env = {}, stdin, isTTY = false, cwd = tmpdir(), parts = {} } = options;
  const listeners = new Set<(signal: 'SIGINT' | 'SIGTERM') => void>();
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const invocation = { out: '', err: '' };
  streams.stdout.setEncoding('utf8').on('data', (text: string) => (invocation.out += text));
  streams.stderr.setEncoding('utf8').on('data', (text: string) => (invocation.err += text));
  if (stdin !== undefined) streams.stdin.end(stdin);
  const io: Io = {
    env: { HOME: newHome(), ...env },
    cwd,
    stdin: Object.assign(streams.stdin, { isTTY }),
    stdout: Object.assign(streams.stdout, { isTTY }),
    stderr: Object.assign(streams.stderr, { isTTY, columns: 100 }),
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const none = async () => {
    throw new Error('not in this test');
  };
  const allParts = { setUp: none, rotateSecrets: none, checkServerParts: async () => [], ...parts };
  // A dynamic import, like the command's own lazy imports: Mocha may load static imports as a second module instance.
  const ended = import('#src/cli/run-cli.js').then(({ runCli }) => runCli(args, io, '1.2.3', allParts));
  return Object.assign(invocation, {
    ended,
    interrupt: (signal: 'SIGINT' | 'SIGTERM' = 'SIGINT') => listeners.forEach((listener) => listener(signal)),
    type: (text: string) => void streams.stdin.write(text),
  });
}

/** Runs the command to its end. */
export async function cli(args: string[], options: InvocationOptions = {}) {
  const invocation = invoke(args, options);
  const code = await invocation.ended;
  return { code, out: invocation.out, err: invocation.err };
}
