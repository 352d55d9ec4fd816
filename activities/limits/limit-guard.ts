import { setTimeout as sleep } from 'node:timers/promises';
import { MIB } from '#src/lib/bytes.js';
import type { TestLimits } from '#src/domain/targets/definitions.js';
import type { LimitName } from '#src/domain/targets/test-limits.js';
import type { Launcher } from '#activities/processes/launcher.js';
import { memoryOf } from '#activities/processes/memory-of.js';
import { signalProcess } from '#activities/processes/proc-scan.js';
import { DEATH_MS, signalGroup, waitUntil } from '#activities/processes/process-group.js';
import type { RunLog } from '#activities/runners/runner.js';
import type { Cgroup } from './cgroup.js';
import { diskUse } from './disk-use.js';
import type { Usage } from './process-watch.js';

/** A fork bomb can outpace some scans, but not all. */
const MAX_SCANS = 10;
const DISK_EVERY_MS = 1000;
/** Large folders are measured less often: measuring takes at most a tenth of the time. */
const DISK_SHARE = 10;

/** A limit that was exceeded, and the measured value if it is higher. */
export interface ExceededLimit {
  name: LimitName;
  used?: number | undefined;
}

export interface GuardDeps {
  limits: TestLimits;
  /** Limits memory and processes; absent: `scan` must measure them. */
  cgroup?: Cgroup | undefined;
  launcher: Pick<Launcher, 'launch'>;
  folder: string;
  /** Of the attempt; ends measurements of disk usage. */
  signal: AbortSignal;
  /** Disk usage of the folder before the start, in MiB; absent: disk usage is not limited. */
  diskBefore?: number | undefined;
  /** Measures the execution's processes; absent: they cannot be measured on this system. */
  scan?: (() => Usage | undefined) | undefined;
}

export type Guard = ReturnType<typeof createGuard>;

/** Enforces the limits of one execution: kills all of its processes when a limit is exceeded. */
export function createGuard({ limits, cgroup, launcher, folder, signal, diskBefore, scan }: GuardDeps) {
  const ended = new AbortController();
  let pgid: number | undefined;
  let exceeded: ExceededLimit | undefined;
  let printed = 0;
  let watching = Promise.resolve();

  function exceed(name: LimitName, used?: number): void {
    if (exceeded) return;
    exceeded = { name, used: used === undefined ? undefined : Math.ceil(used) };
    kill();
  }

  /** @returns whether no process was left to kill */
  function kill(): boolean {
    cgroup?.kill();
    const pids = scan ? suspendAll(scan) : [];
    pids.forEach((pid) => signalProcess(pid, 'SIGKILL'));
    if (pgid !== undefined) signalGroup(pgid, 'SIGKILL');
    return pids.length === 0;
  }

  /**
   * Suspends processes before they are killed: children that they start meanwhile could not be attributed to the
   * execution.
   */
  function suspendAll(findAll: () => Usage | undefined): number[] {
    if (pgid !== undefined) signalGroup(pgid, 'SIGSTOP');
    let suspended = new Set<number>();
    for (let scans = 0; scans < MAX_SCANS; scans++) {
      const { pids = [] } = findAll() ?? {};
      const running = pids.filter((pid) => !suspended.has(pid));
      suspended = new Set(pids);
      if (running.length === 0) break;
      running.forEach((pid) => signalProcess(pid, 'SIGSTOP'));
    }
    return [...suspended];
  }

  async function checkDisk(): Promise<void> {
    if (diskBefore === undefined) return;
    // If the launcher is lost, the execution itself fails.
    const used = (await diskUse(launcher, folder, signal).catch(() => undefined)) ?? 0;
    if (used - diskBefore > limits.diskMiB!) exceed('diskMiB', used - diskBefore);
  }

  async function watchDisk(): Promise<void> {
    for (let tookMs = 0; !ended.signal.aborted && !exceeded;) {
      const pauseMs = Math.max(DISK_EVERY_MS, DISK_SHARE * tookMs);
      await sleep(pauseMs, undefined, { signal: ended.signal }).catch(() => {});
      const startedAt = performance.now();
      await checkDisk();
      tookMs = performance.now() - startedAt;
    }
  }

  /** To be called regularly. @param usage of the processes, if there are no control groups */
  function check(usage?: Usage): void {
    const reached = cgroup?.reachedLimit();
    if (reached) exceed(reached);
    if (!usage) return;
    const { memoryMiB = Infinity, processes = Infinity } = limits;
    if (usage.processes > processes) exceed('processes', usage.processes);
    if (usage.memoryBytes <= memoryMiB * MIB) return;
    const memory = memoryOf(usage.pids) / MIB;
    if (memory > memoryMiB) exceed('memoryMiB', memory);
  }

  return {
    /** To be called when the process has started. @param group its process group */
    started(group: number): void {
      pgid = group;
      if (diskBefore !== undefined) watching = watchDisk();
    },

    check,

    /** A log that counts the bytes written. */
    countOutput: (log: RunLog): RunLog => ({
      write(stream, chunk) {
        printed += Buffer.byteLength(chunk);
        if (printed > (limits.outputMiB ?? Infinity) * MIB) exceed('outputMiB');
        return log.write(stream, chunk);
      },
    }),

    /** Kills all remaining processes of the execution. */
    async killRemaining(): Promise<void> {
      await waitUntil(kill, DEATH_MS);
    },

    /**
     * To be called when all output is read. @param skipFinalCheck the run was stopped and must not wait for a disk
     * measurement
     * @returns the limit that was exceeded, if any
     */
    async end(skipFinalCheck: boolean): Promise<ExceededLimit | undefined> {
      ended.abort();
      if (!skipFinalCheck) {
        await watching;
        if (!exceeded) await checkDisk();
        check();
      }
      await cgroup?.remove();
      return exceeded;
    },
  };
}
