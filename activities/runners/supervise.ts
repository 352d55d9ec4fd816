import { isGroupAlive, signalGroup, waitUntil } from './process-group.js';
import { LauncherLostError, type ProcessExit, type TestProcess } from './launcher.js';

/** setTimeout takes no more. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
/** A process that is gone, and whose end nobody tells within twice this time, is lost. */
const LOOK_MS = 5000;

export interface Supervision {
  timeoutMs: number;
  /** From SIGTERM to SIGKILL. */
  graceMs: number;
  signal: AbortSignal;
  /** How often it is looked whether the process is still there, in ms. */
  lookMs?: number;
}

/** How a test's own process ended. */
export interface Exit extends ProcessExit {
  /** Why we ended it, if we did. */
  endedFor?: 'stop' | 'timeout';
}

/**
 * Waits for a test's own process to end, and ends its group on a stop or at its timeout: SIGTERM, and SIGKILL when the
 * grace is over. Has no deadline after SIGKILL: a process that the system holds still takes its slot.
 * @throws LauncherLostError
 */
export function supervise(child: TestProcess, supervision: Supervision): Promise<Exit> {
  const { timeoutMs, graceMs, signal, lookMs = LOOK_MS } = supervision;
  return new Promise((resolve, reject) => {
    let endedFor: Exit['endedFor'];
    let graceEnd = 0;
    let kill: NodeJS.Timeout | undefined;

    function end(reason: 'stop' | 'timeout'): void {
      if (endedFor) return;
      endedFor = reason;
      graceEnd = performance.now() + graceMs;
      signalGroup(child.pid, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs);
    }

    const stop = () => end('stop');
    const timeout = setTimeout(() => end('timeout'), Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();

    let missing = 0;
    const look = setInterval(() => {
      missing = isThere(child.pid) ? 0 : missing + 1;
      if (missing < 2) return;
      isOver();
      reject(new LauncherLostError('it did not tell of the end of a test'));
    }, lookMs);

    const isOver = () => {
      clearInterval(look);
      clearTimeout(timeout);
      clearTimeout(kill);
      signal.removeEventListener('abort', stop);
    };
    child.exited.finally(isOver).then((exited) => {
      const exit: Exit = { ...exited, ...(endedFor && { endedFor }) };
      if (!endedFor) resolve(exit);
      // A shell dies of SIGTERM at once; what it started may still be tidying up.
      else void waitUntil(() => !isGroupAlive(child.pid), graceEnd - performance.now()).then(() => resolve(exit));
    }, reject);
  });
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
