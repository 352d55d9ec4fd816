import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Arguments for Node to run an entry point of this folder: TypeScript in a checkout, JavaScript in a build. The
 * worker's execArgv is not passed on, because two processes cannot share an --inspect port.
 * @param name file name without extension
 */
export function programArguments(name: string, ...args: string[]): string[] {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(`./${name}.${isSource ? 'ts' : 'js'}`, import.meta.url));
  const tsx = () => ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];
  return [...(isSource ? tsx() : []), program, ...args];
}
