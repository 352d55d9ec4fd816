import { readdirSync, readFileSync } from 'node:fs';

/** Pids of the processes whose environment contains `mark`, to find processes left by the tests of a run. */
export function processesWith(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(mark));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return ''; // gone meanwhile
  }
}
