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
import { isThere, processStats } from '#activities/processes/proc-scan.js';
import { DEATH_MS } from '#activities/processes/process-group.js';
import { createCgroup } from './cgroup.js';
import { diskUse } from './disk-use.js';
import { findHierarchies, joining } from './find-hierarchies.js';
import { endGroups, groupName, groupsBelow } from './group-files.js';
import { createGuard, type Exceeded, type Guard } from './limit-guard.js';
import { createProcessWatch } from './process-watch.js';

const LOOK_EVERY_MS = 250;
const PRLIMIT = '/usr/bin/prlimit';
/** For the processes that the worker's user starts meanwhile. */
const PRLIMIT_MARGIN = 1000;

/** One program held to its limits. */
export interface Limited extends Pick<Guard, 'started' | 'counting' | 'killRest'> {
  /** Words before the program's own that start it within them. */
  via: string[];
  /** What is in force and by which means, as it is shown. */
  inForce: string;
  /** To be called when all is over and read. @param inHaste it was stopped @returns the verdict, if a limit was exceeded */
  end(inHaste: boolean): Promise<AttemptVerdict | undefined>;
}

/** Holds the tests of a worker to limits. */
export interface Limiter {
  /** By which means, as it is shown: `cgroup v2`, `cgroup v1`, `watched`. */
  means: string;
  /** Where its control groups are made, for who cleans up after it. */
  groupFolders: string[];
  /**
   * To be called before a program starts. @returns undefined when no limit is in force: it costs nothing then
   * @throws the system's error when a control group cannot be made
   */
  begin(limits: TestLimits, execution: { id: string; folder: string }): Promise<Limited | undefined>;
}

export interface LimiterOptions {
  workerId: string;
  launcher: Pick<Launcher, 'launch'>;
  /** The worker's own: what holds when a test says nothing, and the most that it may ask for. */
  ofWorker?: TestLimits;
  /** false: as if there were no control groups here. */
  cgroups?: boolean;
}

/** Finds out, once, by which means limits can be held here, and removes control groups that dead workers have left. */
export async function createLimiter(options: LimiterOptions): Promise<Limiter> {
  const { workerId, launcher, ofWorker = {}, cgroups = true } = options;
  const found = cgroups ? await findHierarchies(workerId) : undefined;
  const hierarchies = found?.hierarchies ?? [];
  const groupFolders = hierarchies.map(({ folder }) => folder);
  const left = groupFolders.flatMap((folder) => groupsBelow(folder, (_, pid) => !isThere(pid)));
  await endGroups(left, DEATH_MS);
  const canWatch = existsSync('/proc/self/stat');
  const watch = createProcessWatch(workerId);
  const roots = new Map<string, number>();
  const guards = new Map<string, Guard>();
  let timer: NodeJS.Timeout | undefined;

  const isGrouped = (name: LimitName) => hierarchies.some(({ controllers }) => name in controllers);
  const isWatched = (limits: TestLimits) =>
    canWatch && (['memoryMiB', 'processes'] as const).some((name) => name in limits && !isGrouped(name));

  function tick(): void {
    const usages = roots.size > 0 ? watch.look(roots) : undefined;
    for (const [id, guard] of guards) guard.check(usages?.get(id));
  }

  function meansOf(name: LimitName): string {
    if (isGrouped(name)) return `cgroup v${found!.version}`;
    return canWatch || name === 'outputMiB' || name === 'diskMiB' ? 'watched' : 'not enforced on this system';
  }

  /** `cgroup v1: memory 512 MiB; watched: output 64 MiB` */
  function describe(limits: TestLimits): string {
    const means = [...new Set(LIMIT_NAMES.filter((name) => name in limits).map(meansOf))];
    const heldBy = (mean: string) => Object.entries(limits).filter(([name]) => meansOf(name as LimitName) === mean);
    return means.map((mean) => `${mean}: ${shownLimits(Object.fromEntries(heldBy(mean)))}`).join('; ');
  }

  return {
    means: found ? `cgroup v${found.version}` : canWatch ? 'watched' : 'output and disk only',
    groupFolders,

    async begin(ofTest, { id, folder }) {
      const limits = limitsInForce(ofTest, ofWorker);
      if (Object.keys(limits).length === 0) return undefined;
      const needsGroup = Object.keys(limits).some((name) => isGrouped(name as LimitName));
      const diskBefore = limits.diskMiB === undefined ? undefined : await diskUse(launcher, folder);
      const cgroup = needsGroup ? await createCgroup(hierarchies, groupName(workerId, id), limits) : undefined;
      const look = isWatched(limits) ? () => watch.look(roots).get(id) : undefined;
      const guard = createGuard({ limits, launcher, folder, diskBefore, look, ...(cgroup && { cgroup }) });
      return {
        via: cgroup ? joining(cgroup.folders) : bounding(limits),
        inForce: describe(limits),
        started(pgid) {
          guard.started(pgid);
          guards.set(id, guard);
          if (look) roots.set(id, pgid);
          timer ??= setInterval(tick, LOOK_EVERY_MS);
        },
        counting: guard.counting,
        killRest: guard.killRest,
        async end(inHaste) {
          guards.delete(id);
          roots.delete(id);
          if (guards.size === 0) timer = void clearInterval(timer);
          const exceeded = await guard.end(inHaste);
          return exceeded && verdictOn(exceeded, limits[exceeded.name]!, ofTest);
        },
      };
    },
  };
}

function verdictOn({ name, used }: Exceeded, limit: number, ofTest: TestLimits): AttemptVerdict {
  const errorMessage = whyExceeded(name, limit, ofTest[name] !== limit, used);
  return { status: 'error', errorCode: 'LIMIT_EXCEEDED', errorMessage };
}

/**
 * Words that keep a bomb from taking all of the machine between two looks. The system counts by user, and not at all for
 * root: it bounds the damage, the watch decides.
 */
function bounding({ processes }: TestLimits): string[] {
  if (processes === undefined || process.getuid?.() === 0 || !existsSync(PRLIMIT)) return [];
  const now = processStats().reduce((sum, { threads }) => sum + threads, 0);
  return [PRLIMIT, `--nproc=${now + processes + PRLIMIT_MARGIN}`, '--'];
}
