import type { AttemptVerdict } from '#src/domain/runs/run.js';
import { findProgram } from '#activities/processes/find-program.js';
import type { Launch } from '#activities/processes/launcher.js';
import type { Exit } from '#activities/processes/supervise.js';

/** What a shell and bubblewrap return for a program that SIGKILL has ended. */
const KILLED = 128 + 9;

/**
 * How a program inside ended. bubblewrap turns a signal into an exit code; SIGKILL is turned back, because the usual
 * reason is that the machine ran out of memory.
 */
export function exitInside(exit: Exit): Exit {
  return exit.code === KILLED ? { ...exit, code: null, signal: 'SIGKILL' } : exit;
}

/** @returns the verdict on a program that exists on the machine, but not inside */
export function refuseHidden(
  { command: [name = ''], cwd, env }: Launch,
  isVisible: (file: string) => boolean,
): AttemptVerdict | undefined {
  let file: string;
  try {
    file = findProgram(name, cwd, env.PATH);
  } catch {
    return undefined; // Its start fails and reports why.
  }
  if (isVisible(file)) return undefined;
  const errorMessage = `The command "${name}" (${file}) is not available to isolated tests. Ask the operator of the worker to add the folder of its installation to RUNHOOK_TOOL_FOLDERS.`;
  return { status: 'error', errorCode: 'COMMAND_NOT_FOUND', errorMessage };
}
