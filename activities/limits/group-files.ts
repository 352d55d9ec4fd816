import { existsSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '#activities/processes/process-group.js';
import { killProcess } from '#activities/processes/proc-scan.js';

/*
 * Control groups by their files, of either version. A group of a worker is a folder `runhook-<worker>-<pid>-<execution>`
 * with its test's processes. Imports Node's own modules only, and what does too: the reaper loads it.
 */

const NAME = /^runhook-(.+)-(\d+)-[^-]+$/;

/** @param execution unique in its worker; without a dash */
export function groupName(workerId: string, execution: string): string {
  return `runhook-${workerId}-${process.pid}-${execution}`;
}

/** Groups below `parent`, absolute, whose worker `isMeant`. */
export function groupsBelow(parent: string, isMeant: (workerId: string, pid: number) => boolean): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => {
        const [, workerId = '', pid] = NAME.exec(name) ?? [];
        return pid !== undefined && isMeant(workerId, Number(pid));
      })
      .map((name) => join(parent, name));
  } catch {
    return []; // The group around it is gone, and so are they.
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

/** Sends SIGKILL to every process of a group, and lets it start no more (version 1; version 2 does it at one blow). */
export function killMembers(group: string): void {
  write(join(group, 'cgroup.kill'), '1');
  write(join(group, 'pids.max'), '0');
  membersOf(group).forEach(killProcess);
}

/** Whether the group is gone: one with a process cannot be removed. */
function removeGroup(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Ends what is in groups and removes them, for `deadlineMs` at most: a process that the system holds is not waited for. */
export async function endGroups(groups: string[], deadlineMs: number): Promise<void> {
  const isGone = (group: string) => {
    if (removeGroup(group)) return true;
    killMembers(group);
    return false;
  };
  await waitUntil(() => groups.map(isGone).every(Boolean), deadlineMs);
}

/** @returns whether the file is there and took it */
export function write(file: string, value: string): boolean {
  if (!existsSync(file)) return false;
  try {
    writeFileSync(file, value);
    return true;
  } catch {
    return false;
  }
}
