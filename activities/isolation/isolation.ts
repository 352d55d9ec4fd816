import { existsSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { IsolationLevel } from '#src/domain/runs/isolation-level.js';
import { isInside } from '#activities/files/closed-folders.js';
import { programOnPath } from '#activities/processes/find-program.js';
import { probe } from './probe.js';
import { HOME_INSIDE, TMP_INSIDE, type Sandboxes } from './sandbox.js';
import { processFolder, systemBinds, systemRoots } from './system-files.js';

/** Isolates the programs of tests from the machine they run on. */
export interface Isolation {
  level: IsolationLevel;
  /** Why a better level is not in force, and how to get it. */
  reason?: string;
  /** Absent on level `none`. */
  sandboxes?: Sandboxes;
}

export interface IsolationOptions {
  /** `auto`: the best level that works here. */
  requested: IsolationLevel | 'auto';
  /** Absolute: folders of tools outside the system's, readable inside. */
  toolFolders: readonly string[];
  /** Private folder of the worker, for the files that it generates. */
  folder: string;
  /** Where programs are found: PATH of the worker. */
  path?: string;
}

const INSTALL = 'Install bubblewrap (for example: apt-get install bubblewrap) and restart the worker';

/**
 * Finds out, once, which isolation works on this machine.
 * @throws Error when the level is required and does not work
 */
export async function createIsolation(options: IsolationOptions): Promise<Isolation> {
  if (options.requested === 'none') return { level: 'none', reason: 'RUNHOOK_ISOLATION is none' };
  const problem = (why: string): Isolation => {
    if (options.requested === 'namespaces') throw new Error(`RUNHOOK_ISOLATION is namespaces, but ${why}.`);
    return { level: 'none', reason: why };
  };
  const bubblewrap = programOnPath('bwrap', options.path);
  if (bubblewrap === undefined) return problem(`bubblewrap is not installed. ${INSTALL}`);
  const sandboxes = await createSandboxes(bubblewrap, options);
  const failure = await probe(sandboxes, options.folder);
  return failure === undefined ? { level: 'namespaces', sandboxes } : problem(failure);
}

async function createSandboxes(bubblewrap: string, { toolFolders, folder }: IsolationOptions): Promise<Sandboxes> {
  const accounts = await writeAccounts(folder);
  const roots = systemRoots();
  const tools = [...new Set([...toolFolders, ...toolsOnPath(roots)].map(real))].filter((one) => existsSync(one));
  const fixed = [
    // bubblewrap ends when the worker's launcher does; SIGTERM is for the program inside.
    ...['/usr/bin/env', '--ignore-signal=TERM', bubblewrap, '--die-with-parent'],
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--cap-drop', 'ALL'],
    ...systemBinds(),
    ...accounts.flatMap((file) => ['--ro-bind', file, `/etc/${basename(file)}`]),
    ...processFolder(),
    ...['--dev', '/dev', '--tmpfs', '/run', '--dir', '/var'],
  ];
  const readOnly = (folders: readonly string[]) => folders.flatMap((one) => ['--ro-bind', one, one]);
  return {
    via: ({ home, tmp, readable, writable, hidden }, cwd) => [
      ...fixed,
      ...['--bind', tmp, TMP_INSIDE, '--bind', tmp, '/var/tmp', '--bind', home, HOME_INSIDE],
      // Later ones cover earlier ones: the attempt's folders come last.
      ...readOnly(tools),
      ...readOnly(readable),
      ...writable.flatMap((one) => ['--bind', one, one]),
      ...hidden.flatMap((one) => ['--tmpfs', one]),
      ...['--chdir', cwd, '--', '/usr/bin/env', '--default-signal=TERM'],
    ],
    isVisible(file, { readable, writable }) {
      const path = real(file);
      return [...roots, ...tools, ...readable, ...writable].some((root) => isInside(path, root));
    },
  };
}

/** Accounts for programs that look up their own user, without the names of others. @returns the files */
async function writeAccounts(folder: string): Promise<string[]> {
  const { uid, gid } = userInfo();
  const files: [name: string, text: string][] = [
    ['passwd', `test:x:${uid}:${gid}:test:${HOME_INSIDE}:/bin/sh\n`],
    ['group', `test:x:${gid}:\n`],
  ];
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  return files.map(([name]) => join(folder, name));
}

/** Folders of PATH outside the system's, and the packages of this Node.js, such as npm. Never all of a home folder. */
function toolsOnPath(roots: readonly string[]): string[] {
  const node = dirname(process.execPath);
  return [...(process.env.PATH ?? '').split(delimiter), node, join(dirname(node), 'lib/node_modules')].filter(
    (folder) =>
      folder.startsWith('/') &&
      !roots.some((root) => isInside(folder, root)) &&
      !isInside(real(homedir()), real(folder)),
  );
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
