import { killProcess, processesOf } from './proc-scan.js';
import { DEATH_MS, isGroupAlive, signalGroup, waitUntil } from './process-group.js';

/** A fork bomb may outrun a look or two, not all. */
const MAX_LOOKS = 50;
/** After a longer run, process ids may have come round once: every process is looked at. */
const SHORT_RUN_MS = 10_000;

export interface Execution {
  /** Unique in its worker; in the environment of its processes. */
  id: string;
  /** The test's own process and its group; not known of one whose start was not told. */
  pgid?: number;
  /** performance.now() at its start. */
  startedAt: number;
}

/** Ends what an execution has left when its own process is gone. */
export interface LeftoverKiller {
  /** @param look again even if nothing is found: something was killed, its children may just be starting */
  kill(execution: Execution, again: boolean): Promise<void>;
}

/** One look at the processes serves all executions that end at the same moment. */
function createLook(workerId: string): (execution: Execution) => Promise<number[]> {
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
  const look = createLook(workerId);

  return {
    async kill(execution, again) {
      const { pgid } = execution;
      if (pgid !== undefined && signalGroup(pgid, 'SIGKILL')) await waitUntil(() => !isGroupAlive(pgid), DEATH_MS);
      for (let looks = 0, clean = 0; looks < MAX_LOOKS && clean < (again ? 2 : 1); looks++) {
        const found = await look(execution);
        if (found.length === 0) {
          clean++;
          continue;
        }
        again = true;
        clean = 0;
        for (const pid of found) killProcess(pid);
      }
    },
  };
}
