import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { Launch, Launcher, LaunchFailure, TestProcess } from './launcher.js';

/** The worker lacks a resource: the same command can be started later. */
const SHORTAGES = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'];

/**
 * Starts a test's command. @returns the process, or a verdict if it could not be started
 * @throws LauncherLostError
 */
export async function startCommand(
  launcher: Pick<Launcher, 'launch'>,
  launch: Launch,
): Promise<TestProcess | AttemptVerdict> {
  const { command, cwd, env } = launch;
  const started = await launcher.launch(launch);
  return 'pid' in started ? started : notStarted(started, command[0] ?? '', cwd, env);
}

function notStarted(error: LaunchFailure, command: string, cwd: string, env: Record<string, string>): AttemptVerdict {
  if (SHORTAGES.includes(error.code ?? '')) {
    const errorMessage = `The worker could not start another process (${error.code}). Run fewer tests at a time (RUNHOOK_SLOTS) or raise its limits (ulimit -u, ulimit -n, memory).`;
    return { status: 'error', errorCode: 'INTERNAL', errorMessage };
  }
  return { status: 'error', errorCode: 'COMMAND_NOT_FOUND', errorMessage: whatIsMissing(error, command, cwd, env) };
}

function whatIsMissing(error: LaunchFailure, command: string, cwd: string, env: Record<string, string>): string {
  const folder = statSync(cwd, { throwIfNoEntry: false });
  if (!folder) return `The working folder ${cwd} does not exist on this worker. Create it, or correct the test's cwd.`;
  if (!folder.isDirectory()) return `The working folder ${cwd} is not a folder. Correct the test's cwd.`;
  switch (error.code) {
    case 'ENOENT':
      if (!command.includes('/'))
        return `The command "${command}" was not found in PATH (${env.PATH}). Install it on this worker, or correct the test's command.`;
      return existsSync(resolve(cwd, command))
        ? `The command "${command}" exists, but the interpreter in its first line does not. Install the interpreter on this worker, or correct the line.`
        : `The command "${command}" does not exist in ${cwd}. Create it, or correct the test's command.`;
    case 'EACCES':
      return `The command "${command}" is not executable for the worker, or the folder ${cwd} is not accessible. Change the permissions (chmod +x), or correct the test's command.`;
    case 'E2BIG':
      return `The command "${command}" has too many or too large arguments and variables for this system. Pass large values in a file.`;
    default:
      return `The command "${command}" cannot be started: ${error.message}. Correct the test's command, cwd or env.`;
  }
}
