import { existsSync } from 'node:fs';
import type { TestLimits } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import {
  LIMIT_NAMES,
  limitsInForce,
  shownLimits,
  whyExceeded,
  type LimitName,
} from '#src/domain/targets/test-limits.js';
import type { Launcher } from '#activities/processes/launcher.js';
import { isRunning, processStats } from '#activities/processes/proc-scan.js';
import { DEATH_MS } from '#activities/processes/process-group.js';
import { createCgroup } from './cgroup.js';
import { diskUse } from './disk-use.js';
import { findHierarchies, joinCommand } from './find-hierarchies.js';
import { endGroups, groupName, groupsBelow } from './group-files.js';
import { createGuard, type ExceededLimit, type Guard } from './limit-guard.js';
import { createProcessWatch } from './process-watch.js';

const CHECK_EVERY_MS = 250;
const PRLIMIT = '/usr/bin/prlimit';
/** Room for processes of the same user outside the test. */
const PRLIMIT_MARGIN = 1000;

/** The limits of one program. */
export interface LimitedExecution extends Pick<Guard, 'started' | 'countOutput' | 'killRemaining'> {
  /** Prefix for the program's command line. */
  commandPrefix: string[];
  /** The limits in force and how they are enforced, as shown to users. */
  inForce: string;
  /** To be called when all output is read (see Guard). @returns the verdict if a limit was exceeded */
  end(skipFinalCheck: boolean): Promise<AttemptVerdict | undefined>;
}

/** Enforces limits on the tests of a worker. */
export interface Limiter {
  /** How limits are enforced, as shown to users: `cgroup v2`, `cgroup v1`, `watched`. */
  means: string;
  /** Folders of its control groups, for the cleanup after a crash of the worker. */
  groupFolders: string[];
  /**
   * To be called before a program starts. @returns undefined when no limit is in force
   * @throws the system's error when a control group cannot be created
   */
  begin(
    limits: TestLimits,
    execution: { id: string; folder: string; signal: AbortSignal },
  ): Promise<LimitedExecution | undefined>;
}

export interface LimiterOptions {
  workerId: string;
  launcher: Pick<Launcher, 'launch'>;
  /** The worker's limits: defaults for tests without limits of their own, and the maximum for all. */
  workerLimits?: TestLimits;
  /** false: do not use control groups. */
  cgroups?: boolean;
}

/** Detects once how limits can be enforced on this system, and removes control groups of workers that died. */
export async function createLimiter(options: LimiterOptions): Promise<Limiter> {
  const { workerId, launcher, workerLimits = {}, cgroups = true } = options;
  const found = cgroups ? await findHierarchies(workerId) : undefined;
  const hierarchies = found?.hierarchies ?? [];
  const groupFolders = hierarchies.map(({ folder }) => folder);
  const abandoned = groupFolders.flatMap((folder) => groupsBelow(folder, (_, pid) => !isRunning(pid)));
  await endGroups(abandoned, DEATH_MS);
  const canWatch = existsSync('/proc/self/stat');
  const watch = createProcessWatch(workerId);
  const roots = new Map<string, number>();
  const guards = new Map<string, Guard>();
  let timer: NodeJS.Timeout | undefined;

  const isGrouped = (name: LimitName) => hierarchies.some(({ controllers }) => name in controllers);
  const isWatched = (limits: TestLimits) =>
    canWatch && (['memoryMiB', 'processes'] as const).some((name) => name in limits && !isGrouped(name));

  function tick(): void {
    const usages = roots.size > 0 ? watch.scan(roots) : undefined;
    for (const [id, guard] of guards) guard.check(usages?.get(id));
  }

  function meansOf(name: LimitName): string {
    if (isGrouped(name)) return `cgroup v${found!.version}`;
    return canWatch || name === 'outputMiB' || name === 'diskMiB' ? 'watched' : 'not enforced on this system';
  }

  /** `cgroup v1: memory 512 MiB; watched: output 64 MiB` */
  function describe(limits: TestLimits): string {
    const means = [...new Set(LIMIT_NAMES.filter((name) => name in limits).map(meansOf))];
    const enforcedBy = (mean: string) => Object.entries(limits).filter(([name]) => meansOf(name as LimitName) === mean);
    return means.map((mean) => `${mean}: ${shownLimits(Object.fromEntries(enforcedBy(mean)))}`).join('; ');
  }

  return {
    means: found ? `cgroup v${found.version}` : canWatch ? 'watched' : 'output and disk only',
    groupFolders,

    async begin(testLimits, { id, folder, signal }) {
      const limits = limitsInForce(testLimits, workerLimits);
      if (Object.keys(limits).length === 0) return undefined;
      const needsGroup = Object.keys(limits).some((name) => isGrouped(name as LimitName));
      const diskBefore = limits.diskMiB === undefined ? undefined : await diskUse(launcher, folder, signal);
      const cgroup = needsGroup ? await createCgroup(hierarchies, groupName(workerId, id), limits) : undefined;
      const scan = isWatched(limits) ? () => watch.scan(roots).get(id) : undefined;
      const guard = createGuard({ limits, launcher, folder, signal, diskBefore, scan, cgroup });
      return {
        commandPrefix: cgroup ? joinCommand(cgroup.folders) : prlimitCommand(limits),
        inForce: describe(limits),
        started(pgid) {
          guard.started(pgid);
          guards.set(id, guard);
          if (scan) roots.set(id, pgid);
          timer ??= setInterval(tick, CHECK_EVERY_MS);
        },
        countOutput: guard.countOutput,
        killRemaining: guard.killRemaining,
        async end(skipFinalCheck) {
          guards.delete(id);
          roots.delete(id);
          if (guards.size === 0) timer = void clearInterval(timer);
          const exceeded = await guard.end(skipFinalCheck);
          return exceeded && verdictOf(exceeded, limits[exceeded.name]!, testLimits);
        },
      };
    },
  };
}

function verdictOf({ name, used }: ExceededLimit, limit: number, testLimits: TestLimits): AttemptVerdict {
  const errorMessage = whyExceeded(name, limit, testLimits[name] !== limit, used);
  return { status: 'error', errorCode: 'LIMIT_EXCEEDED', errorMessage };
}

/**
 * The command prefix that limits a fork bomb between two checks. The system counts per user, and never for root, so
 * this only reduces the damage; the check decides.
 */
function prlimitCommand({ processes }: TestLimits): string[] {
  if (processes === undefined || process.getuid?.() === 0 || !existsSync(PRLIMIT)) return [];
  const now = processStats().reduce((sum, { threads }) => sum + threads, 0);
  return [PRLIMIT, `--nproc=${now + processes + PRLIMIT_MARGIN}`, '--'];
}
