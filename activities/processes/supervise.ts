import { isGroupAlive, signalGroup, waitUntil } from './process-group.js';
import { isRunning } from './proc-scan.js';
import { LauncherLostError, type ProcessExit, type TestProcess } from './launcher.js';

/** If a process has exited and its exit is not reported within twice this time, the launcher is lost. */
const CHECK_MS = 5000;

export interface Supervision {
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs: number;
  signal: AbortSignal;
  /** Interval between checks whether the process still exists, in ms. */
  checkMs?: number;
}

/** How a test's root process ended. */
export interface Exit extends ProcessExit {
  /** It was stopped on request; otherwise it exited by itself or was killed by something else. */
  isStopped: boolean;
}

/**
 * Waits until a test's root process has exited. When the signal is aborted, its group gets SIGTERM, and SIGKILL after
 * the grace period. There is no deadline after SIGKILL: a process stuck in the kernel still occupies its slot.
 * @throws LauncherLostError
 */
export function supervise(child: TestProcess, supervision: Supervision): Promise<Exit> {
  const { graceMs, signal, checkMs = CHECK_MS } = supervision;
  return new Promise((resolve, reject) => {
    let isStopped = false;
    let graceEnd = 0;
    let kill: NodeJS.Timeout | undefined;

    function stop(): void {
      if (isStopped) return;
      isStopped = true;
      graceEnd = performance.now() + graceMs;
      signalGroup(child.pid, 'SIGTERM');
      kill = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs);
    }

    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();

    let missing = 0;
    const check = setInterval(() => {
      missing = isRunning(child.pid) ? 0 : missing + 1;
      if (missing < 2) return;
      cleanUp();
      reject(new LauncherLostError('it did not report the end of a test'));
    }, checkMs);

    const cleanUp = () => {
      clearInterval(check);
      clearTimeout(kill);
      signal.removeEventListener('abort', stop);
    };
    child.exited.finally(cleanUp).then((exited) => {
      const exit: Exit = { ...exited, isStopped };
      if (!isStopped) resolve(exit);
      // A shell dies of SIGTERM at once; its children may still be cleaning up.
      else void waitUntil(() => !isGroupAlive(child.pid), graceEnd - performance.now()).then(() => resolve(exit));
    }, reject);
  });
}
