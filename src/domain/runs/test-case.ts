/** One case of a test's results, as its JUnit files tell it. */
export interface TestCase {
  /** `<run id>:<attempt>:<delivery>:<number>`. */
  _id: string;
  runId: string;
  attempt: number;
  delivery: number;
  /** From 1, in the order of the files. */
  number: number;
  /** The suites around it, or its class. */
  group: string;
  name: string;
  status: CaseStatus;
  durationMs?: number;
  /** Why it did not pass, in a line. */
  message?: string;
  /** The whole failure. */
  details?: string;
  /** What it printed. */
  output?: string;
}

export const CASE_STATUSES = ['passed', 'failed', 'error', 'skipped'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** How many cases have each status. */
export type CaseCounts = Record<CaseStatus, number>;

export function noCases(): CaseCounts {
  return { passed: 0, failed: 0, error: 0, skipped: 0 };
}

/** How many there are in all. */
export function casesIn(counts: CaseCounts): number {
  return CASE_STATUSES.reduce((sum, status) => sum + counts[status], 0);
}
