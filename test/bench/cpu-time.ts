import { readdirSync, readFileSync } from 'node:fs';

/** Kernel ticks per second, the same on every Linux that Node supports. */
const TICKS = 100;

interface ProcessFacts {
  pid: number;
  parent: number;
  seconds: number;
}

/** From Linux's /proc, including exited children. */
function factsOf(pid: number): ProcessFacts {
  // pid (name) state ppid … utime stime cutime cstime …; the name may contain anything.
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
        return []; // Already exited.
      }
    });
}

/** CPU seconds used by a process and all its descendants. */
function cpuSeconds(pid: number, all: ProcessFacts[]): number {
  const own = all.find((one) => one.pid === pid)?.seconds ?? 0;
  return all.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + cpuSeconds(child.pid, all), own);
}

/**
 * Measures the CPU seconds of these processes and their descendants, from now until the returned function is called.
 */
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
