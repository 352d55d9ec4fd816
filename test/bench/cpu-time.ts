import { readFileSync } from 'node:fs';

/** Of the kernel's accounting: ticks a second, on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds that a process has used, with those of its children that have ended. From Linux's /proc. */
export function cpuSeconds(pid: number): number {
  // pid (name) state ppid … utime stime cutime cstime …; the name may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** CPU seconds that each of these processes uses from now on, until the answer is called. */
export function cpuSince<Name extends string>(pids: Record<Name, number>): () => Record<Name, number> {
  const names = Object.keys(pids) as Name[];
  const now = () => names.map((name) => cpuSeconds(pids[name]));
  const before = now();
  return () => {
    const after = now();
    return Object.fromEntries(names.map((name, index) => [name, after[index]! - before[index]!])) as Record<
      Name,
      number
    >;
  };
}
