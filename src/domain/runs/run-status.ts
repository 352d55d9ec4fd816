/** The statuses of a run and the rules of their order. Pure: workflows import this file too. */

export const RUN_STATUSES = [
  'queued',
  'running',
  'auto_retrying',
  'passed',
  'failed',
  'error',
  'stopped',
  'skipped',
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

export const TERMINAL_STATUSES = ['passed', 'failed', 'error', 'stopped', 'skipped'] as const;

export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export const OPEN_STATUSES = ['queued', 'running', 'auto_retrying'] as const;

/** Whether a run with this status is over: nothing changes it any more. */
export function isTerminal(status: RunStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly RunStatus[]).includes(status);
}

/** How many of a suite's test runs have each status. */
export type StatusCounts = Record<RunStatus, number>;

/** Counts with every status at zero, or at what `some` says. */
export function statusCounts(some: Partial<StatusCounts> = {}): StatusCounts {
  return {
    queued: 0,
    running: 0,
    auto_retrying: 0,
    passed: 0,
    failed: 0,
    error: 0,
    stopped: 0,
    skipped: 0,
    ...some,
  };
}

/**
 * The verdict of a suite from the verdicts of its tests: `failed` if any test failed, else `error` if any errored,
 * else `stopped` if the suite (or one of its tests) was stopped, else `passed` if one passed. A suite of which no test ran
 * has verified nothing: `error`.
 */
export function suiteStatus(counts: StatusCounts, wasStopped: boolean): TerminalStatus {
  if (counts.failed > 0) return 'failed';
  if (counts.error > 0) return 'error';
  if (wasStopped || counts.stopped > 0) return 'stopped';
  return counts.passed > 0 ? 'passed' : 'error';
}
