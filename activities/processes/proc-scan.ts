import { readdirSync, readFileSync } from 'node:fs';

/*
 * Finds processes by the marks that the command runner leaves in their environment: the only trace of those that left
 * their process group (setsid). Linux only; elsewhere nothing is found. Imports Node's own modules only: the reaper
 * loads it.
 */

export const WORKER_MARK = 'RUNHOOK_WORKER_ID';
export const EXECUTION_MARK = 'RUNHOOK_EXECUTION';

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return []; // No /proc here.
  }
}

/** A file of /proc, or nothing when its process has ended or belongs to somebody else. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** The process id that the system gave last, 0 when it is not known. */
function lastProcessId(): number {
  return Number(read('/proc/loadavg').trim().split(' ').at(-1)) || 0;
}

/** The execution whose mark a process of this worker's tests carries; '' where only the worker's is there. */
export function executionOf(pid: number, workerId: string): string | undefined {
  const environment = `\0${read(`/proc/${pid}/environ`)}`;
  if (!environment.includes(`\0${WORKER_MARK}=${workerId}\0`)) return undefined;
  return new RegExp(`\\0${EXECUTION_MARK}=([^\\0]*)`).exec(environment)?.[1] ?? '';
}

/**
 * Living processes of a worker's tests, by execution.
 * @param since only look at processes younger than this one, which has ended (a run of `true` must not cost a look at every
 *   process, nor even a list of them when it was the last that started)
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

/** A living process, by /proc/<pid>/stat. */
export interface ProcessStat {
  pid: number;
  parent: number;
  group: number;
  threads: number;
  /** With the pid, unique until the system restarts. */
  startedAt: string;
  /** Of memory that it holds. */
  pages: number;
}

/** All processes of the system that are more than a zombie (which nobody may be there to reap). */
export function processStats(): ProcessStat[] {
  return processIds().flatMap((pid) => {
    // pid (name) state ppid pgrp …, the name may hold anything: fields 3, 4, 5, 20, 22 and 24 of proc_pid_stat(5).
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

/** Ids of the living processes of a group. */
export function membersOf(pgid: number): number[] {
  return processStats().flatMap(({ pid, group }) => (group === pgid ? [pid] : []));
}

/** Whether a process group has a member that is alive. */
export function hasLivingMember(pgid: number): boolean {
  return membersOf(pgid).length > 0;
}

/** Whether there is a process of this id, a zombie included. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends SIGKILL; a process that has ended meanwhile is no error. */
export function killProcess(pid: number): void {
  signalProcess(pid, 'SIGKILL');
}

/** Sends a signal; a process that has ended meanwhile is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone, or another user's: nothing that can be done.
  }
}
