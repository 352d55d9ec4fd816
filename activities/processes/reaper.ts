import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { programArguments } from './program-arguments.js';

const FIRST_RESTART_MS = 50;
const LONGEST_RESTART_MS = 5000;
/** After this time, a reaper counts as healthy and the restart delay is reset. */
const HEALTHY_AFTER_MS = 10_000;
const STOP_MS = 3000;

/** Kills a worker's test processes when the worker dies in any way. */
export interface Reaper {
  /** Registers a process group that has started. */
  add(pgid: number): void;
  /** Removes a process group that has exited. */
  remove(pgid: number): void;
  /** Process id of the current reaper; undefined between its exit and its restart. */
  readonly pid: number | undefined;
  /** Stops the reaper, which kills remaining groups. Resolves when it has exited. */
  stop(): Promise<void>;
}

/** Resources of a worker besides its tests' processes. */
export interface WorkerResources {
  /** Folder of its launcher, to be removed. */
  folder?: string;
  /** Folders in which it creates control groups; those groups are removed. */
  groupFolders?: string[];
}

type ReaperProcess = ChildProcess & { stdin: Socket };

/** Starts it in its own session, without the worker's environment. */
function spawnReaper(workerId: string, { folder = '', groupFolders = [] }: WorkerResources): ReaperProcess {
  const child = spawn(process.execPath, programArguments('reaper-process', workerId, folder, ...groupFolders), {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  }) as ReaperProcess;
  child.unref();
  child.stdin?.unref();
  // A broken pipe means that the reaper has exited, which its `exit` event reports.
  child.stdin?.on('error', () => {});
  return child;
}

/**
 * Starts the reaper of this worker and keeps one running.
 * @param warn called when a reaper exited and another is started
 * @param resources to clean up after a killed worker
 * @throws the system's error when no process can be started
 */
export async function startReaper(
  workerId: string,
  warn: (message: string) => void = (message) => process.emitWarning(message),
  resources: WorkerResources = {},
): Promise<Reaper> {
  const groups = new Set<number>();
  let current = spawnReaper(workerId, resources);
  let restartMs = FIRST_RESTART_MS;
  let stopped = false;
  await once(current, 'spawn');
  watch(current);

  function watch(child: ReaperProcess): void {
    const startedAt = performance.now();
    let restarted = false;
    const restart = (what: unknown) => {
      if (restarted || stopped) return;
      restarted = true;
      restartMs = performance.now() - startedAt > HEALTHY_AFTER_MS ? FIRST_RESTART_MS : restartMs;
      warn(`The reaper process of this worker exited (${String(what)}); starting another in ${restartMs} ms.`);
      setTimeout(start, restartMs).unref();
      restartMs = Math.min(2 * restartMs, LONGEST_RESTART_MS);
    };
    child.once('exit', (code, signal) => restart(signal ?? code));
    child.once('error', restart);
  }

  function start(): void {
    if (stopped) return;
    current = spawnReaper(workerId, resources);
    watch(current);
    for (const pgid of groups) send(`+${pgid}`);
  }

  function send(line: string): void {
    if (current.stdin?.writable) current.stdin.write(`${line}\n`);
  }

  function livingPid(): number | undefined {
    return current.exitCode === null && current.signalCode === null ? current.pid : undefined;
  }

  return {
    add(pgid) {
      groups.add(pgid);
      send(`+${pgid}`);
    },
    remove(pgid) {
      groups.delete(pgid);
      send(`-${pgid}`);
    },
    get pid() {
      return livingPid();
    },
    async stop() {
      stopped = true;
      if (livingPid() === undefined) return;
      const ended = once(current, 'exit');
      current.ref();
      current.stdin.end('bye\n');
      const kill = setTimeout(() => current.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(kill);
    },
  };
}
