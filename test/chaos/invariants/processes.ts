import type { Evidence, Violation } from '#test/chaos/evidence.js';

/** No test process is left, and no process of the system exited unexpectedly. */
export function checkProcesses({ leftovers, crashes }: Evidence): Violation[] {
  return [
    ...leftovers.map((pid) => ({ rule: 'no process is left behind', detail: `process ${pid}` })),
    ...crashes.map((detail) => ({ rule: 'nothing ends by itself', detail })),
  ];
}

/** Every planned fault struck and was healed: otherwise the run proves nothing. */
export function checkFaults({ faults }: Evidence): Violation[] {
  return faults
    .filter(({ firedAtMs, problem }) => firedAtMs === undefined || problem)
    .map(({ fault, problem = 'it did not fire' }) => ({
      rule: 'every planned fault fires and is healed',
      detail: `#${fault.number} ${fault.kind} ${fault.target}: ${problem}`,
    }));
}
