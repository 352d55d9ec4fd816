import { isGroupAlive, signalGroup, waitUntil } from './process-group.js';
import { isThere } from './proc-scan.js';
import { LauncherLostError, type ProcessExit, type TestProcess } from './launcher.js';

/** A process that is gone, and whose end nobody tells within twice this time, is lost. */
const LOOK_MS = 5000;

export interface Supervision {
  /** From SIGTERM to SIGKILL. */
  graceMs: number;
  signal: AbortSignal;
  /** How often it is looked whether the process is still there, in ms. */
  lookMs?: number;
}

/** How a test's own process ended. */
export interface Exit extends ProcessExit {
  /** It was told to end; else it ended by itself, or by another hand. */
  endedByUs: boolean;
}

/**
 * Waits for a test's own process to end, and ends its group when the signal is aborted: SIGTERM, and SIGKILL when the
 * grace is over. Has no deadline after SIGKILL: a process that the system holds still takes its slot.
 * @throws LauncherLostError
 */
export function supervise(child: TestProcess, supervision: Supervision): Promise<Exit> {
  const { graceMs, signal, lookMs = LOOK_MS } = supervision;
  return new Promise((resolve, reject) => {
    let endedByUs = false;
    let graceEnd = 0;
    let kill: NodeJS.Timeout | undefined;

    function stop(): void {
      if (endedByUs) return;
      endedByUs = true;
      graceEnd = performance.now() + graceMs;
      signalGroup(child.pid, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs);
    }

    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();

    let missing = 0;
    const look = setInterval(() => {
      missing = isThere(child.pid) ? 0 : missing + 1;
      if (missing < 2) return;
      isOver();
      reject(new LauncherLostError('it did not report the end of a test'));
    }, lookMs);

    const isOver = () => {
      clearInterval(look);
      clearTimeout(kill);
      signal.removeEventListener('abort', stop);
    };
    child.exited.finally(isOver).then((exited) => {
      const exit: Exit = { ...exited, endedByUs };
      if (!endedByUs) resolve(exit);
      // A shell dies of SIGTERM at once; what it started may still be tidying up.
      else void waitUntil(() => !isGroupAlive(child.pid), graceEnd - performance.now()).then(() => resolve(exit));
    }, reject);
  });
}
