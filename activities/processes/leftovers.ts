import { killProcess, processesOf } from './proc-scan.js';
import { DEATH_MS, isGroupAlive, signalGroup, waitUntil } from './process-group.js';

/** A fork bomb can outpace some scans, but not all. */
const MAX_SCANS = 50;
/** After a longer run, process ids may have wrapped around, so every process is scanned. */
const SHORT_RUN_MS = 10_000;

export interface Execution {
  /** Unique within the worker; set in the environment of its processes. */
  id: string;
  /** The root process and its group; absent if the start was not reported. */
  pgid?: number;
  /** performance.now() at its start. */
  startedAt: number;
}

/** Kills the processes of an execution that outlive its root process. */
export interface LeftoverKiller {
  /** @param repeat scan again even if nothing was found: a killed process may just have started children */
  kill(execution: Execution, repeat: boolean): Promise<void>;
}

/** Executions that end at the same moment share one scan. */
function createScan(workerId: string): (execution: Execution) => Promise<number[]> {
  let next: Promise<Map<string, number[]>> | undefined;
  let oldest = Infinity;
  return async ({ id, pgid = 0, startedAt }) => {
    oldest = Math.min(oldest, performance.now() - startedAt > SHORT_RUN_MS ? 0 : pgid);
    next ??= new Promise((resolve) => {
      setImmediate(() => {
        const since = oldest;
        next = undefined;
        oldest = Infinity;
        resolve(processesOf(workerId, since));
      });
    });
    return (await next).get(id) ?? [];
  };
}

export function createLeftoverKiller(workerId: string): LeftoverKiller {
  const scan = createScan(workerId);

  return {
    async kill(execution, repeat) {
      const { pgid } = execution;
      if (pgid !== undefined && signalGroup(pgid, 'SIGKILL')) await waitUntil(() => !isGroupAlive(pgid), DEATH_MS);
      for (let scans = 0, clean = 0; scans < MAX_SCANS && clean < (repeat ? 2 : 1); scans++) {
        const found = await scan(execution);
        if (found.length === 0) {
          clean++;
          continue;
        }
        repeat = true;
        clean = 0;
        for (const pid of found) killProcess(pid);
      }
    },
  };
}
