import { execFileSync } from 'node:child_process';
import { executionOf, processStats, type ProcessStat } from '#activities/processes/proc-scan.js';

/** Total usage of the processes of one execution. */
export interface Usage {
  pids: number[];
  /** Processes and threads. */
  processes: number;
  /** An upper bound: shared pages count for each process. */
  memoryBytes: number;
}

/**
 * Measures the executions of a worker where there are no control groups. Linux only; elsewhere it finds no processes.
 */
export interface ProcessWatch {
  /** Measures all executions in one scan. @param roots the root process, and its group, by execution id */
  scan(roots: Map<string, number>): Map<string, Usage>;
}

/**
 * A process belongs to an execution by its environment variable, its process group or its parent. It is remembered, so
 * that losing all three later does not hide it.
 */
export function createProcessWatch(workerId: string): ProcessWatch {
  let known = new Map<number, { startedAt: string; execution: string | undefined }>();
  const pageBytes = pageSize();

  return {
    scan(roots) {
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
        const parentStat = entry.execution === undefined ? stats.get(parent) : undefined;
        if (parentStat) entry.execution = belongsTo(parentStat);
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
