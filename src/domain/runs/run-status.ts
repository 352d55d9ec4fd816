/* Statuses of a run. Workflows import this file, so it must stay deterministic. */

export const TERMINAL_STATUSES = ['passed', 'failed', 'error', 'stopped', 'skipped'] as const;

export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export const OPEN_STATUSES = ['queued', 'running', 'auto_retrying'] as const;

export const RUN_STATUSES = [...OPEN_STATUSES, ...TERMINAL_STATUSES] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** Whether the status is final. */
export function isTerminal(status: RunStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly RunStatus[]).includes(status);
}

/** Test runs of a suite by status. */
export type StatusCounts = Record<RunStatus, number>;

/** Every status at zero, except `some`. */
export function statusCounts(some: Partial<StatusCounts> = {}): StatusCounts {
  const zeros = Object.fromEntries(RUN_STATUSES.map((status) => [status, 0])) as StatusCounts;
  return { ...zeros, ...some };
}

/**
 * The verdict of a suite: `failed` if a test failed, else `error` if a test had an error, else `stopped` if the suite or
 * a test was stopped, else `passed` if a test passed. A suite without any executed test has verified nothing: `error`.
 */
export function suiteStatus(counts: StatusCounts, wasStopped: boolean): TerminalStatus {
  if (counts.failed > 0) return 'failed';
  if (counts.error > 0) return 'error';
  if (wasStopped || counts.stopped > 0) return 'stopped';
  return counts.passed > 0 ? 'passed' : 'error';
}
