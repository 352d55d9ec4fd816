import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, from the sources and from dist/ alike. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The package's version. */
export const VERSION = (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string })
  .version;

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder) throw new Error('There is no package.json above this program.');
  return findRoot(dirname(folder));
}
