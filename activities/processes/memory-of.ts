import { readFileSync } from 'node:fs';

/** Memory of processes in bytes, with shared pages counted once (PSS). Takes milliseconds per process. */
export function memoryOf(pids: number[]): number {
  const kib = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
    } catch {
      return 0; // Already exited.
    }
  });
  return 1024 * kib.reduce((sum, one) => sum + one, 0);
}
