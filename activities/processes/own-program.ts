import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Arguments for Node to run a program of ours: TypeScript in a checkout (tests), JavaScript when built. The
 * worker's own execArgv is not passed on: two processes cannot listen on one --inspect port.
 * @param name of its file from this folder, without extension
 */
export function programArguments(name: string, ...args: string[]): string[] {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, import.meta.url));
  const tsx = () => ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];
  return [...(isSource ? tsx() : []), program, ...args];
}
