import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export { packageRoot as repositoryRoot } from '#src/package.js';

/** The folder of downloaded and built servers, shared by all clones of this user. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'runhook');
  return process.platform === 'darwin' ? join(homedir(), 'Library/Caches/runhook') : join(homedir(), '.cache/runhook');
}

/**
 * The arguments with which Node runs a module: compiled, or as TypeScript in tests.
 * @param name the module without extension, relative to the caller's `import.meta.url`
 */
export function nodeArgsFor(name: string, callerUrl: string): string[] {
  const extension = extname(fileURLToPath(callerUrl));
  const file = fileURLToPath(new URL(name + extension, callerUrl));
  return extension === '.ts' ? ['--import', createRequire(import.meta.url).resolve('tsx'), file] : [file];
}

/** Files of a running stack in its data folder. */
export function stackPaths(dataDir: string) {
  return {
    lock: join(dataDir, 'start.lock'),
    stackFile: join(dataDir, 'stack.json'),
    secretKey: join(dataDir, 'secret-key'),
    credentials: join(dataDir, 'credentials.json'),
    testFolders: join(dataDir, 'test-folders.json'),
    logs: join(dataDir, 'logs'),
    temporalData: join(dataDir, 'temporal.sqlite'),
    mongodbData: join(dataDir, 'mongodb'),
  };
}
export type StackPaths = ReturnType<typeof stackPaths>;
