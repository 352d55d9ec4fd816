import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { programArguments } from './own-program.js';

const FIRST_RESTART_MS = 50;
const LONGEST_RESTART_MS = 5000;
/** One that ran this long was well. */
const WELL_AFTER_MS = 10_000;
const STOP_MS = 3000;

/** Ends a worker's test processes when the worker dies, however it dies. */
export interface Reaper {
  /** A process group has started. */
  add(pgid: number): void;
  /** It is gone. */
  remove(pgid: number): void;
  /** Process id of the reaper at hand; none between its death and its restart. */
  readonly pid: number | undefined;
  /** Orderly end. Groups that are still there are killed. Resolves when the reaper is gone. */
  stop(): Promise<void>;
}

/** What a worker has beside its tests' processes. */
export interface Belongings {
  /** Of its launcher; is removed. */
  folder?: string;
  /** Where control groups of its tests are made; those are removed. */
  groupFolders?: string[];
}

type ReaperProcess = ChildProcess & { stdin: Socket };

/** In a session of its own, with nothing of the worker's environment. */
function spawnReaper(workerId: string, { folder = '', groupFolders = [] }: Belongings): ReaperProcess {
  const child = spawn(process.execPath, programArguments('reaper-process', workerId, folder, ...groupFolders), {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  }) as ReaperProcess;
  child.unref();
  child.stdin?.unref();
  // A broken pipe is the reaper's death, and that is seen by its exit.
  child.stdin?.on('error', () => {});
  return child;
}

/**
 * Starts the reaper of this worker and keeps one running.
 * @param warn told when a reaper died and another takes its place
 * @param belongings what else a worker that was killed leaves
 * @throws the system's error when no process can be started
 */
export async function startReaper(
  workerId: string,
  warn: (message: string) => void = (message) => process.emitWarning(message),
  belongings: Belongings = {},
): Promise<Reaper> {
  const groups = new Set<number>();
  let current = spawnReaper(workerId, belongings);
  let restartMs = FIRST_RESTART_MS;
  let stopped = false;
  await once(current, 'spawn');
  watch(current);

  function watch(child: ReaperProcess): void {
    const startedAt = performance.now();
    let over = false;
    const restart = (what: unknown) => {
      if (over || stopped) return;
      over = true;
      restartMs = performance.now() - startedAt > WELL_AFTER_MS ? FIRST_RESTART_MS : restartMs;
      warn(`The reaper process of this worker exited (${String(what)}); starting another in ${restartMs} ms.`);
      setTimeout(start, restartMs).unref();
      restartMs = Math.min(2 * restartMs, LONGEST_RESTART_MS);
    };
    child.once('exit', (code, signal) => restart(signal ?? code));
    child.once('error', restart);
  }

  function start(): void {
    if (stopped) return;
    current = spawnReaper(workerId, belongings);
    watch(current);
    for (const pgid of groups) tell(`+${pgid}`);
  }

  function tell(line: string): void {
    if (current.stdin?.writable) current.stdin.write(`${line}\n`);
  }

  function livingPid(): number | undefined {
    return current.exitCode === null && current.signalCode === null ? current.pid : undefined;
  }

  return {
    add(pgid) {
      groups.add(pgid);
      tell(`+${pgid}`);
    },
    remove(pgid) {
      groups.delete(pgid);
      tell(`-${pgid}`);
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
