import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const found = findPackage(dirname(fileURLToPath(import.meta.url)));

/** The package's folder, from the sources and from dist/ alike. */
export const packageRoot = found.folder;

/** The package's version. */
export const VERSION = found.version;

/** dist/ has a package.json of its own for its imports; it has no version. */
function findPackage(folder: string): { folder: string; version: string } {
  const file = join(folder, 'package.json');
  const { version } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }) : {};
  if (version !== undefined) return { folder, version };
  if (dirname(folder) === folder) throw new Error('No package.json found in any parent folder.');
  return findPackage(dirname(folder));
}
