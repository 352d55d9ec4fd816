import { existsSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '#activities/processes/process-group.js';
import { killProcess } from '#activities/processes/proc-scan.js';

/*
 * Access to control groups of both versions through their files. A worker's group is a folder
 * `runhook-<worker>-<pid>-<execution>` with the processes of one test. May import only Node's own modules, like
 * everything that the reaper loads.
 */

const NAME = /^runhook-(.+)-(\d+)-[^-]+$/;

/** @param execution unique within the worker; without a dash */
export function groupName(workerId: string, execution: string): string {
  return `runhook-${workerId}-${process.pid}-${execution}`;
}

/** Groups below `parent` (absolute) whose worker matches. */
export function groupsBelow(parent: string, matches: (workerId: string, pid: number) => boolean): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => {
        const [, workerId = '', pid] = NAME.exec(name) ?? [];
        return pid !== undefined && matches(workerId, Number(pid));
      })
      .map((name) => join(parent, name));
  } catch {
    return []; // The parent group no longer exists.
  }
}

/** Living processes of a group. */
export function membersOf(group: string): number[] {
  try {
    return readFileSync(join(group, 'cgroup.procs'), 'latin1').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * Sends SIGKILL to every process of a group. v2 does this atomically; in v1, a process limit of 0 prevents new ones.
 */
export function killMembers(group: string): void {
  write(join(group, 'cgroup.kill'), '1');
  write(join(group, 'pids.max'), '0');
  membersOf(group).forEach(killProcess);
}

/** @returns whether the group no longer exists; one with processes cannot be removed */
function removeGroup(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/**
 * Kills the processes of groups and removes the groups. Gives up after `deadlineMs`: a process can be stuck in the
 * kernel.
 */
export async function endGroups(groups: string[], deadlineMs: number): Promise<void> {
  const isRemoved = (group: string) => {
    if (removeGroup(group)) return true;
    killMembers(group);
    return false;
  };
  await waitUntil(() => groups.map(isRemoved).every(Boolean), deadlineMs);
}

/** @returns whether the file exists and the value was accepted */
export function write(file: string, value: string): boolean {
  if (!existsSync(file)) return false;
  try {
    writeFileSync(file, value);
    return true;
  } catch {
    return false;
  }
}
