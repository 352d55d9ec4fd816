import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '#test/support/eventually.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Timeout of a start, generous for busy machines. */
const START_MS = 120_000;

/** A program of Runhook as a real process that can be killed and restarted. */
export interface NodeProcess {
  readonly pid: number;
  /** Output so far, including that before restarts. */
  readonly output: string;
  /** Starts or restarts it, with additional variables. */
  start(env?: Record<string, string>): Promise<void>;
  /** Sends a signal and, unless it is SIGSTOP or SIGCONT, waits for the end. @returns the exit code or the signal */
  kill(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/**
 * @param program path below dist/src/bin, or an absolute one
 * @param readyLine the log message when it is ready
 */
export function nodeProcess(program: string, readyLine: string, env: Record<string, string>): NodeProcess {
  let child: ChildProcess | undefined;
  let output = '';
  // A crashed test must not leave the process behind, even if it is frozen.
  process.once('exit', () => child?.kill('SIGKILL'));

  return {
    get pid() {
      return child!.pid!;
    },
    get output() {
      return output;
    },
    async start(more = {}) {
      const before = output.length;
      const started = spawn(process.execPath, [resolve(ROOT, 'dist/src/bin', program)], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      await eventually(() => {
        if (started.exitCode !== null) throw new Error(`${program} ended:\n${output.slice(before)}`);
        return output.slice(before).includes(readyLine) || undefined;
      }, START_MS);
    },
    async kill(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
      const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      child.kill(signal);
      if (signal === 'SIGSTOP' || signal === 'SIGCONT') return null;
      const [code, by] = await ended;
      return code ?? by;
    },
  };
}
