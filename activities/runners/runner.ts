import type { TestDefinition } from '../../src/domain/definitions.js';
import type { LogStream } from '../../src/domain/log-line.js';
import type { AttemptVerdict } from '../../src/domain/run.js';

/** Where a runner writes what its test prints. */
export interface RunLog {
  /**
   * Takes output as it comes; lines are made here. Resolves when there is room for more (back-pressure): a runner
   * stops reading its test's output until then.
   */
  write(stream: LogStream, chunk: Buffer | string): Promise<void>;
}

/** One attempt of a test, as a runner sees it. */
export interface Attempt {
  runId: string;
  testId: string;
  /** From 1. */
  number: number;
  /** What its project and its run give it as environment. */
  variables: Record<string, string>;
  log: RunLog;
  /** Aborted when the attempt must end now: a stop, a lost claim, a worker shutting down. */
  signal: AbortSignal;
}

/** Executes one kind of test. */
export interface Runner {
  /**
   * Runs one attempt to its end. When it resolves, no process of the attempt is alive, whatever the verdict.
   * Resolves with `stopped` when the signal was aborted; never rejects for what the test did.
   */
  run(definition: TestDefinition, attempt: Attempt): Promise<AttemptVerdict>;
}
