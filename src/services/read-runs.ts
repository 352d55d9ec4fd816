import type { LogLine } from '../domain/log-line.js';
import type { StatusCounts } from '../domain/run-status.js';
import type { Run, TestRun } from '../domain/run.js';

/** What the page of a run shows. */
export interface RunDetails {
  run: Run;
  projectName: string;
  /** Of a test run: the first lines of its log, in order. */
  log: LogLine[];
  logIsLonger: boolean;
  /** Of a suite run: its tests in order, without their definitions. */
  testRuns: Pick<TestRun, '_id' | 'targetName' | 'status' | 'attempt' | 'startedAt' | 'endedAt' | 'position'>[];
  counts?: StatusCounts;
  /** Of a suite's test run. */
  suiteName?: string;
}

export interface RunSummary {
  id: string;
  kind: Run['kind'];
  projectName: string;
  targetName: string;
  status: Run['status'];
  queuedAt: Date;
  startedAt?: Date;
  endedAt?: Date;
}

/** Reads for pages. Each throws UnavailableError when the database does not answer. */
export interface RunReader {
  /** @throws RunNotFoundError */
  details(runId: string): Promise<RunDetails>;
  /** The newest runs that are not a suite's tests. */
  latest(limit: number): Promise<RunSummary[]>;
}
