import { processStats } from '#activities/processes/proc-scan.js';

/** All live descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const stats = processStats();
  const found = new Set([pid]);
  // Parents may have higher ids than their children.
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const stat of stats) if (found.has(stat.parent)) found.add(stat.pid);
  }
  found.delete(pid);
  return [...found];
}

/** The processes that are alive and not zombies. */
export function livingOf(pids: number[]): number[] {
  const living = new Set(processStats().map(({ pid }) => pid));
  return pids.filter((pid) => living.has(pid));
}
