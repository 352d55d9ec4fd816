import { chmod } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { onPath } from '#tools/stack/servers/on-path.js';
import type { Log } from '#tools/stack/log.js';
import { debianFile } from './debian-file.js';

/**
 * A PATH on which bubblewrap is: the machine's, or Debian's package (50 KB).
 * @throws NotPossibleError where it is missing and cannot be downloaded
 */
export async function pathWithBubblewrap(log: Log): Promise<string> {
  const { PATH = '' } = process.env;
  if (onPath('bwrap', process.env)) return PATH;
  const file = await debianFile('bubblewrap', 'bin/bwrap', log);
  await chmod(file, 0o755);
  return `${PATH}${delimiter}${dirname(file)}`;
}
