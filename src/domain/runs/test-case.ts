/** A test case from the JUnit files of a run. */
export interface TestCase {
  /** `<run id>:<attempt>:<delivery>:<number>`. */
  _id: string;
  runId: string;
  attempt: number;
  delivery: number;
  /** From 1, in the order of the files. */
  number: number;
  /** The JUnit suites that contain it, or its class. */
  group: string;
  name: string;
  status: CaseStatus;
  durationMs?: number;
  /** Why it did not pass, on one line. */
  message?: string;
  /** The complete failure. */
  details?: string;
  output?: string;
}

export const CASE_STATUSES = ['passed', 'failed', 'error', 'skipped'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export type CaseCounts = Record<CaseStatus, number>;

export function noCases(): CaseCounts {
  return { passed: 0, failed: 0, error: 0, skipped: 0 };
}

/** Total number of cases. */
export function casesIn(counts: CaseCounts): number {
  return CASE_STATUSES.reduce((sum, status) => sum + counts[status], 0);
}
