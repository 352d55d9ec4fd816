import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { endWithUs, forget } from './end-with-parent.js';

/** A log file larger than this is set aside at the next start, in bytes. */
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
  /** Stops it, in whatever state it is. */
  signal?: AbortSignal;
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs?: number;
}

/** A process of the local stack in a process group of its own, which ends when we end. */
export interface Child {
  name: string;
  pid: number;
  process: ChildProcess;
  /** How it ended, in words (`exit code 1`, `SIGKILL`). Never rejects. */
  exited: Promise<string>;
  /** What it has written since it started. */
  output(): string;
  /** SIGTERM to the whole group, SIGKILL after the grace; resolves when it has ended. */
  stop(): Promise<void>;
}

/** @throws Error when the program cannot be started, or the signal's reason when it is aborted already */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, command, args, env, cwd, logFile, signal, graceMs = GRACE_MS } = options;
  signal?.throwIfAborted();
  mkdirSync(dirname(logFile), { recursive: true });
  const logStart = setAside(logFile);
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
  endWithUs(pid);
  void exited.then(() => forget(pid));
  const stop = () => stopGroup(pid, exited, graceMs);
  // Aborted between the check above and here, it is stopped all the same.
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

/** Sets a log file aside that has grown large. @returns its length after that, in bytes */
function setAside(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_MAX_BYTES) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}
