import { isGroupAlive, signalGroup, waitUntil } from './process-group.js';
import type { ProcessExit, TestProcess } from './launcher.js';

/** setTimeout takes no more. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export interface Supervision {
  timeoutMs: number;
  /** From SIGTERM to SIGKILL. */
  graceMs: number;
  signal: AbortSignal;
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
export function supervise(child: TestProcess, { timeoutMs, graceMs, signal }: Supervision): Promise<Exit> {
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

    const isOver = () => {
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
