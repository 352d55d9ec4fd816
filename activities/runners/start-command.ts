import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { CommandSettings } from '../../src/domain/definitions.js';
import type { AttemptVerdict } from '../../src/domain/run.js';

export type TestProcess = ChildProcessByStdio<null, Readable, Readable> & { pid: number };

/** The worker is short of something: the same command can be started later. */
const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];

/** Starts a command in its own process group, without a shell. Resolves with the process, or with why there is none. */
export async function startCommand(
  settings: CommandSettings,
  env: Record<string, string>,
): Promise<TestProcess | AttemptVerdict> {
  const [command = '', ...args] = settings.command;
  try {
    const child = spawn(command, args, { cwd: settings.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid !== undefined) return child as TestProcess;
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    return notStarted(error, command, settings.cwd, env);
  } catch (error) {
    return notStarted(error as NodeJS.ErrnoException, command, settings.cwd, env);
  }
}

function notStarted(
  error: NodeJS.ErrnoException,
  command: string,
  cwd: string,
  env: Record<string, string>,
): AttemptVerdict {
  if (SHORTAGES.includes(error.code ?? '')) {
    const errorMessage = `The worker could not start another process (${error.code}). Run fewer tests at a time (RUNHOOK_SLOTS) or raise its limits (ulimit -u, ulimit -n, memory).`;
    return { status: 'error', errorCode: 'INTERNAL', errorMessage };
  }
  return { status: 'error', errorCode: 'COMMAND_NOT_FOUND', errorMessage: whatIsMissing(error, command, cwd, env) };
}

function whatIsMissing(
  error: NodeJS.ErrnoException,
  command: string,
  cwd: string,
  env: Record<string, string>,
): string {
  const folder = statSync(cwd, { throwIfNoEntry: false });
  if (!folder) return `The working folder ${cwd} is not there on this worker. Create it, or correct the test's cwd.`;
  if (!folder.isDirectory()) return `The working folder ${cwd} is not a folder. Correct the test's cwd.`;
  switch (error.code) {
    case 'ENOENT':
      if (!command.includes('/'))
        return `The command "${command}" is not there: no folder of PATH has it (${env.PATH}). Install it on this worker, or correct the test's command.`;
      return existsSync(resolve(cwd, command))
        ? `The command "${command}" is there, but not the interpreter that its first line names. Install that on this worker, or correct the line.`
        : `The command "${command}" is not there in ${cwd}. Create it, or correct the test's command.`;
    case 'EACCES':
      return `The command "${command}" may not be executed by the worker, or the folder ${cwd} not be entered. Give it the right (chmod +x), or correct the test's command.`;
    case 'E2BIG':
      return `The command "${command}" has more arguments and variables than the system allows. Pass large values in a file.`;
    default:
      return `The command "${command}" cannot be started: ${error.message}. Correct the test's command, cwd or env.`;
  }
}
