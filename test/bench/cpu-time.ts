import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel's accounting: ticks a second, on every Linux that Node runs on. */
const TICKS = 100;

interface ProcessFacts {
  pid: number;
  parent: number;
  seconds: number;
}

/** From Linux's /proc, with the time of children that have ended. */
function factsOf(pid: number): ProcessFacts {
  // pid (name) state ppid … utime stime cutime cstime …; the name may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), seconds: ticks / TICKS };
}

function allProcesses(): ProcessFacts[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((pid) => {
      try {
        return [factsOf(pid)];
      } catch {
        return []; // It has just ended.
      }
    });
}

/** CPU seconds that a process and all that it has started have used. */
function cpuSeconds(pid: number, all: ProcessFacts[]): number {
  const own = all.find((one) => one.pid === pid)?.seconds ?? 0;
  return all.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + cpuSeconds(child.pid, all), own);
}

/** CPU seconds that each of these processes, with all that they start, uses from now on until the answer is called. */
export function cpuSince<Name extends string>(pids: Record<Name, number>): () => Record<Name, number> {
  const names = Object.keys(pids) as Name[];
  const now = () => {
    const all = allProcesses();
    return names.map((name) => cpuSeconds(pids[name], all));
  };
  const before = now();
  return () => {
    const after = now();
    return Object.fromEntries(names.map((name, index) => [name, after[index]! - before[index]!])) as Record<
      Name,
      number
    >;
  };
}
