import { execFileSync } from 'node:child_process';
import { executionOf, processStats, type ProcessStat } from '#activities/processes/proc-scan.js';

/** What the processes of an execution use together. */
export interface Usage {
  pids: number[];
  /** Processes and threads. */
  processes: number;
  /** Pages that are shared count for each process: an upper bound. */
  memoryBytes: number;
}

/** Looks at the processes of a worker's executions; for where there are no control groups. Linux only: else it sees none. */
export interface ProcessWatch {
  /** @param roots own process and group of each execution, by its id. One look serves all. */
  look(roots: Map<string, number>): Map<string, Usage>;
}

/**
 * A process belongs to an execution by its mark, by its group, or by its parent, and goes on to when it loses them: each is
 * found that is there for one look with one of the three.
 */
export function createProcessWatch(workerId: string): ProcessWatch {
  let known = new Map<number, { startedAt: string; execution: string | undefined }>();
  const pageBytes = pageSize();

  return {
    look(roots) {
      const before = known;
      const groups = new Map([...roots].map(([execution, pgid]) => [pgid, execution]));
      const stats = new Map(processStats().map((stat) => [stat.pid, stat]));
      known = new Map();

      function belongsTo(stat: ProcessStat): string | undefined {
        const { pid, startedAt, parent, group } = stat;
        const seen = known.get(pid);
        if (seen) return seen.execution;
        const earlier = before.get(pid);
        const isSame = earlier?.startedAt === startedAt;
        const entry = { startedAt, execution: isSame ? earlier.execution : executionOf(pid, workerId) };
        known.set(pid, entry);
        entry.execution ??= groups.get(group);
        const above = entry.execution === undefined ? stats.get(parent) : undefined;
        if (above) entry.execution = belongsTo(above);
        return entry.execution;
      }

      const usages = new Map<string, Usage>();
      for (const stat of stats.values()) {
        const execution = belongsTo(stat);
        if (execution === undefined) continue;
        const usage = usages.get(execution) ?? { pids: [], processes: 0, memoryBytes: 0 };
        usage.pids.push(stat.pid);
        usage.processes += stat.threads;
        usage.memoryBytes += stat.pages * pageBytes;
        usages.set(execution, usage);
      }
      return usages;
    },
  };
}

function pageSize(): number {
  try {
    return Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'latin1' })) || 4096;
  } catch {
    return 4096;
  }
}
