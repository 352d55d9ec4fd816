import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endGroups, groupName, write } from './group-files.js';

const TRIAL_MS = 5000;

/** A limit that control groups can enforce. */
export type GroupLimit = 'memoryMiB' | 'processes';

/** Names of a controller's files. */
export interface ControllerFiles {
  /** The file for the limit, in bytes or processes. */
  limit: string;
  /** Files to write as well if they exist: without a swap limit, memory would not be limited. */
  extra?: Record<string, string | 'limit'>;
  /** File and key of the counter of how often the limit was reached. */
  hits: [file: string, key: string];
}

/** A folder in which this worker can create control groups, and the limits that they enforce. */
export interface Hierarchy {
  folder: string;
  controllers: Partial<Record<GroupLimit, ControllerFiles>>;
}

export interface FoundHierarchies {
  version: 1 | 2;
  hierarchies: Hierarchy[];
}

const V1: Record<'memory' | 'pids', Hierarchy['controllers']> = {
  pids: { processes: { limit: 'pids.max', hits: ['pids.events', 'max'] } },
  memory: {
    memoryMiB: {
      limit: 'memory.limit_in_bytes',
      extra: { 'memory.memsw.limit_in_bytes': 'limit' },
      hits: ['memory.oom_control', 'oom_kill'],
    },
  },
};

const V2: Hierarchy['controllers'] = {
  memoryMiB: {
    limit: 'memory.max',
    extra: { 'memory.swap.max': '0', 'memory.oom.group': '1' },
    hits: ['memory.events', 'oom_kill'],
  },
  processes: { limit: 'pids.max', hits: ['pids.events', 'max'] },
};

/**
 * Moves the shell into the groups before `--`, then executes the command after it. Kills itself if it cannot join a
 * group.
 */
const JOIN = 'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || kill -KILL $$; shift; done; shift; exec "$@"';

/** The command prefix that starts a program inside control groups. */
export function joinCommand(groups: string[]): string[] {
  return ['/bin/sh', '-c', JOIN, 'sh', ...groups, '--'];
}

/**
 * Finds where this process can create control groups below its own, so that the worker's limits also apply to its
 * tests. Each candidate is tested with a program. @returns undefined if there is none
 */
export async function findHierarchies(workerId: string): Promise<FoundHierarchies | undefined> {
  const own = ownGroups();
  // If systemd put the worker into a subgroup (DelegateSubgroup), groups are created next to it: a group with processes
  // cannot have children.
  const unified = own.get('');
  for (const folder of unified ? [unified, dirname(unified)] : []) {
    write(join(folder, 'cgroup.subtree_control'), '+memory +pids');
    const hierarchy = { folder, controllers: V2 };
    if (await works(hierarchy, workerId)) return { version: 2, hierarchies: [hierarchy] };
  }
  const hierarchies: Hierarchy[] = [];
  for (const name of ['pids', 'memory'] as const) {
    const folder = own.get(name);
    const hierarchy = folder && { folder, controllers: V1[name] };
    if (hierarchy && (await works(hierarchy, workerId))) hierarchies.push(hierarchy);
  }
  return hierarchies.length > 0 ? { version: 1, hierarchies } : undefined;
}

/** Folders of this process's own control groups, by controller; '' is cgroup v2. */
function ownGroups(): Map<string, string> {
  const mounts = lines('/proc/self/mountinfo').map(parseMount);
  const groups = new Map<string, string>();
  for (const line of lines('/proc/self/cgroup')) {
    // number:controllers:path, see cgroups(7)
    const [, names = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const name of names.split(',')) {
      const mount = mounts.find(({ type, options }) =>
        name ? type === 'cgroup' && options.includes(name) : type === 'cgroup2',
      );
      if (!mount) continue;
      const isBelow = mount.root !== '/' && path.startsWith(mount.root);
      groups.set(name, join(mount.folder, isBelow ? path.slice(mount.root.length) : path));
    }
  }
  return groups;
}

/** @param line id parent device root folder options … - type source options; see proc_pid_mountinfo(5) */
function parseMount(line: string) {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root = '', folder = ''] = before.split(' ');
  const [type, , options = ''] = after.split(' ');
  return { root, folder, type, options: options.split(',') };
}

async function works({ folder, controllers }: Hierarchy, workerId: string): Promise<boolean> {
  const group = join(folder, groupName(workerId, 'trial'));
  try {
    mkdirSync(group);
    if (!Object.values(controllers).every(({ limit }) => existsSync(join(group, limit)))) return false;
    const [shell = '', ...args] = joinCommand([group]);
    await promisify(execFile)(shell, [...args, 'true'], { timeout: TRIAL_MS });
    return true;
  } catch {
    return false; // No permission.
  } finally {
    await endGroups([group], TRIAL_MS);
  }
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return []; // Not Linux.
  }
}
