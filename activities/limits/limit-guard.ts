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

/** A fork bomb may outrun a look or two, not all. */
const MAX_LOOKS = 10;
const DISK_EVERY_MS = 1000;
/** A large folder is looked at less often: a tenth of the time at most. */
const DISK_SHARE = 10;

/** A limit that was exceeded, and what was seen, where that says more than the limit. */
export interface Exceeded {
  name: LimitName;
  used?: number;
}

export interface GuardDeps {
  limits: TestLimits;
  /** Bounds memory and processes; absent, `look` has to see them. */
  cgroup?: Cgroup;
  launcher: Pick<Launcher, 'launch'>;
  folder: string;
  /** What was in the folder before it started, in MiB; absent, its growth is not watched. */
  diskBefore?: number | undefined;
  /** Sees what the execution's processes use; absent, that cannot be seen here. */
  look?: (() => Usage | undefined) | undefined;
}

export type Guard = ReturnType<typeof createGuard>;

/** Holds one execution to its limits: ends all of it the moment that it is seen to exceed one. */
export function createGuard({ limits, cgroup, launcher, folder, diskBefore, look }: GuardDeps) {
  const over = new AbortController();
  let pgid: number | undefined;
  let exceeded: Exceeded | undefined;
  let printed = 0;
  let watching = Promise.resolve();

  function exceed(name: LimitName, used?: number): void {
    if (exceeded) return;
    exceeded = { name, ...(used === undefined ? {} : { used: Math.ceil(used) }) };
    kill();
  }

  /** @returns whether nothing was left to kill */
  function kill(): boolean {
    cgroup?.kill();
    const pids = look ? stopAll(look) : [];
    pids.forEach((pid) => signalProcess(pid, 'SIGKILL'));
    if (pgid !== undefined) signalGroup(pgid, 'SIGKILL');
    return pids.length === 0;
  }

  /** What is killed while it starts others could not be told from strangers' any more: they stand still first. */
  function stopAll(findAll: () => Usage | undefined): number[] {
    if (pgid !== undefined) signalGroup(pgid, 'SIGSTOP');
    let stopped = new Set<number>();
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const { pids = [] } = findAll() ?? {};
      const running = pids.filter((pid) => !stopped.has(pid));
      stopped = new Set(pids);
      if (running.length === 0) break;
      running.forEach((pid) => signalProcess(pid, 'SIGSTOP'));
    }
    return [...stopped];
  }

  async function checkDisk(): Promise<void> {
    if (diskBefore === undefined) return;
    // A launcher that is lost is told by the end of the execution itself.
    const used = (await diskUse(launcher, folder).catch(() => undefined)) ?? 0;
    if (used - diskBefore > limits.diskMiB!) exceed('diskMiB', used - diskBefore);
  }

  async function watchDisk(): Promise<void> {
    for (let tookMs = 0; !over.signal.aborted && !exceeded;) {
      const pauseMs = Math.max(DISK_EVERY_MS, DISK_SHARE * tookMs);
      await sleep(pauseMs, undefined, { signal: over.signal }).catch(() => {});
      const startedAt = performance.now();
      await checkDisk();
      tookMs = performance.now() - startedAt;
    }
  }

  /** To be called every moment. @param usage what was seen, where there are no control groups */
  function check(usage?: Usage): void {
    const hit = cgroup?.hit();
    if (hit) exceed(hit);
    if (!usage) return;
    const { memoryMiB = Infinity, processes = Infinity } = limits;
    if (usage.processes > processes) exceed('processes', usage.processes);
    if (usage.memoryBytes <= memoryMiB * MIB) return;
    const memory = memoryOf(usage.pids) / MIB;
    if (memory > memoryMiB) exceed('memoryMiB', memory);
  }

  return {
    /** @param group of the process that has started */
    started(group: number): void {
      pgid = group;
      if (diskBefore !== undefined) watching = watchDisk();
    },

    check,

    /** A log that counts what is printed. */
    counting: (log: RunLog): RunLog => ({
      write(stream, chunk) {
        printed += Buffer.byteLength(chunk);
        if (printed > (limits.outputMiB ?? Infinity) * MIB) exceed('outputMiB');
        return log.write(stream, chunk);
      },
    }),

    /** Ends what is left of the execution, wherever it went. */
    async killRest(): Promise<void> {
      await waitUntil(kill, DEATH_MS);
    },

    /**
     * To be called when all is over and read. @param inHaste it was stopped: its end is not to wait for a look at the disk
     * @returns the limit that was exceeded, if one was
     */
    async end(inHaste: boolean): Promise<Exceeded | undefined> {
      over.abort();
      if (!inHaste) {
        await watching;
        if (!exceeded) await checkDisk();
        check();
      }
      await cgroup?.remove();
      return exceeded;
    },
  };
}
