import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { guardGroup, releaseGroup } from './end-with-parent.js';

/** A larger log file is rotated at the next start. */
const LOG_MAX_BYTES = 8 * 1024 * 1024;
const TAIL_LINES = 12;
const GRACE_MS = 5000;

export interface ChildOptions {
  /** For messages. */
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** stdout and stderr are appended here. */
  logFile: string;
  /** Stops the process in any state. */
  signal?: AbortSignal;
  /** Time from SIGTERM to SIGKILL. */
  graceMs?: number;
}

/** A process of the local stack in its own process group, which ends with this process. */
export interface Child {
  name: string;
  pid: number;
  process: ChildProcess;
  /** `exit code 1` or `SIGKILL`. Never rejects. */
  exited: Promise<string>;
  /** Output since its start. */
  output(): string;
  /** Sends SIGTERM to the whole group, and SIGKILL after the grace period; resolves when it has exited. */
  stop(): Promise<void>;
}

/** @throws Error when the program cannot be started, or the signal's reason if it is already aborted */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, command, args, env, cwd, logFile, signal, graceMs = GRACE_MS } = options;
  signal?.throwIfAborted();
  mkdirSync(dirname(logFile), { recursive: true });
  const logStart = rotate(logFile);
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(new Error(`Could not start ${name} (${command})`, { cause })));
  });
  const pid = child.pid!;
  guardGroup(pid);
  void exited.then(() => releaseGroup(pid));
  const stop = () => stopGroup(pid, exited, graceMs);
  // The signal may have been aborted since the check above.
  if (signal?.aborted) void stop();
  else signal?.addEventListener('abort', () => void stop(), { once: true });
  return {
    name,
    pid,
    process: child,
    exited,
    output: () => readFileSync(logFile).subarray(logStart).toString(),
    stop,
  };
}

/** The last lines of a child's output, for an error message. */
export function lastLines(child: Child): string {
  return child.output().trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}

async function stopGroup(group: number, exited: Promise<string>, graceMs: number): Promise<void> {
  sendTo(group, 'SIGTERM');
  const kill = setTimeout(() => sendTo(group, 'SIGKILL'), graceMs);
  await exited;
  clearTimeout(kill);
}

function sendTo(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Rotates a large log file. @returns its length afterwards */
function rotate(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_MAX_BYTES) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}
