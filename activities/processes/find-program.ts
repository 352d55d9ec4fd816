import { accessSync, constants, openSync, readSync, closeSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Checks that a program can be started, with the system's rules for looking it up.
 * @param path colon-separated folders, for a name without a slash
 * @throws the error that starting it would cause: EACCES, or ENOENT, also for the interpreter in its first line
 */
export function findProgram(name: string, cwd: string, path = '/usr/local/bin:/usr/bin:/bin'): string {
  if (!statSync(cwd).isDirectory()) throw Object.assign(new Error(`${cwd} is not a folder`), { code: 'ENOTDIR' });
  const folders = name.includes('/') ? [''] : path.split(':');
  let failure: unknown;
  for (const folder of folders) {
    const file = resolve(cwd, folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isDirectory()) throw Object.assign(new Error(`${file} is a folder`), { code: 'EACCES' });
      const interpreter = interpreterOf(file);
      if (interpreter) accessSync(interpreter, constants.X_OK);
      return file;
    } catch (error) {
      if ((failure as NodeJS.ErrnoException)?.code !== 'EACCES') failure = error;
    }
  }
  throw failure;
}

/** @returns the file of a program on PATH; undefined if there is none */
export function programOnPath(name: string, path = process.env.PATH): string | undefined {
  try {
    return findProgram(name, '/', path);
  } catch {
    return undefined;
  }
}

/** The interpreter in the first line of a script. */
function interpreterOf(file: string): string | undefined {
  const start = Buffer.alloc(256);
  let length = 0;
  try {
    const fd = openSync(file, 'r');
    length = readSync(fd, start);
    closeSync(fd);
  } catch {
    return undefined; // Executable, but not readable.
  }
  return /^#![ \t]*([^ \t\n]+)/.exec(start.toString('latin1', 0, length))?.[1];
}
