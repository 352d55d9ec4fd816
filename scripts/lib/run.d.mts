/**
 * Runs a program to its end with its output in a log file.
 * @throws Error when it cannot start or does not end with 0; the message holds an excerpt of its output
 */
export function run(
  command: string,
  args: string[],
  options: { cwd: string; logFile: string; env?: NodeJS.ProcessEnv },
): Promise<void>;
