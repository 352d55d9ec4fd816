import { readdirSync, readFileSync } from 'node:fs';

/*
 * Finds processes by marks in their environment: the only trace of processes that left their process group (setsid).
 * Linux only; elsewhere it finds nothing. May import only Node's own modules, because the reaper loads it.
 */

export const WORKER_MARK = 'RUNHOOK_WORKER_ID';
export const EXECUTION_MARK = 'RUNHOOK_EXECUTION';

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return []; // No /proc on this system.
  }
}

/** A file of /proc; empty if its process has exited or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** The most recent process id of the system, 0 if unknown. */
function lastProcessId(): number {
  return Number(read('/proc/loadavg').trim().split(' ').at(-1)) || 0;
}

/** The execution that a process of this worker's tests belongs to; '' if it only has the worker's mark. */
export function executionOf(pid: number, workerId: string): string | undefined {
  const environment = `\0${read(`/proc/${pid}/environ`)}`;
  if (!environment.includes(`\0${WORKER_MARK}=${workerId}\0`)) return undefined;
  return new RegExp(`\\0${EXECUTION_MARK}=([^\\0]*)`).exec(environment)?.[1] ?? '';
}

/**
 * Living processes of a worker's tests, by execution.
 * @param since only scan processes started after this one, which has exited: a run of `true` must not cost a scan of
 *   all processes, and not even a listing if no process has started since
 */
export function processesOf(workerId: string, since = 0): Map<string, number[]> {
  const last = lastProcessId();
  const found = new Map<string, number[]>();
  if (since > 0 && last === since) return found;
  const wrapped = last < since;
  for (const pid of processIds()) {
    if (pid < since && !wrapped) continue;
    const execution = executionOf(pid, workerId);
    if (execution !== undefined) found.set(execution, [...(found.get(execution) ?? []), pid]);
  }
  return found;
}

/** A running process, from /proc/<pid>/stat. */
export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  threads: number;
  /** With the pid, unique until the system restarts. */
  startedAt: string;
  /** Resident pages of memory. */
  pages: number;
}

/** All processes of the system except zombies, which may have no parent that reaps them. */
export function processStats(): ProcessStat[] {
  return processIds().flatMap((pid) => {
    // pid (name) state ppid pgrp …; the name may contain anything. Fields 3, 4, 5, 20, 22 and 24 of proc_pid_stat(5).
    const fields = read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    const [state, parent, group] = fields;
    if (group === undefined || state === 'Z' || state === 'X') return [];
    const [threads, startedAt = '', pages] = [fields[17], fields[19], fields[21]];
    return {
      pid,
      parent: Number(parent),
      group: Number(group),
      threads: Number(threads),
      startedAt,
      pages: Number(pages),
    };
  });
}

/** Ids of the running processes of a group. */
export function membersOf(pgid: number): number[] {
  return processStats().flatMap(({ pid, group }) => (group === pgid ? [pid] : []));
}

/** Whether a process of the group is running. */
export function hasLivingMember(pgid: number): boolean {
  return membersOf(pgid).length > 0;
}

/** Whether a process with this id exists, including zombies. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends SIGKILL. Processes that have exited are ignored. */
export function killProcess(pid: number): void {
  signalProcess(pid, 'SIGKILL');
}

/** Sends a signal. Processes that have exited are ignored. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Exited, or another user's.
  }
}
