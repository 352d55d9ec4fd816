import type { Readable } from 'node:stream';
import type { CommonSettings, TestDefinition } from '#src/domain/targets/definitions.js';
import type { LogStream } from '#src/domain/runs/log-line.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { StepReport } from '#src/domain/runs/run-step.js';

/** Where a runner writes what its test prints. */
export interface RunLog {
  /**
   * Takes output as it comes; lines are made here, and secrets masked. Resolves when there is room for more
   * (back-pressure): a runner stops reading its test's output until then.
   */
  write(stream: LogStream, chunk: Buffer | string): Promise<void>;
}

/** Where a runner tells its steps, each when it is over; they are shown as a table. */
export interface StepLog {
  /** Secrets in its texts are masked. */
  write(step: StepReport): Promise<void>;
}

/** A file to keep with the run. */
export interface NewArtifact {
  /** A relative path, as it is shown and saved: `screenshots/step-4.png`. */
  name: string;
  contentType: string;
  content: Buffer | Readable;
  /** Of a stream, where it is known, in bytes: what is too large is not read at all. */
  size?: number;
}

/** Where a runner keeps files with the run. */
export interface ArtifactSink {
  /** @returns false when it would exceed a limit on files: the log says so, and the test goes on */
  add(file: NewArtifact): Promise<boolean>;
}

/** One attempt of a test, as a runner sees it. */
export interface Attempt {
  runId: string;
  projectId: string;
  testId: string;
  /** From 1. */
  number: number;
  /** The working folder, absolute: of the definition, of the repository's tree, or an empty one. */
  folder: string;
  /** Real paths below which no file is opened for the test although they may be below `folder`: the worker's own. */
  closedFolders?: readonly string[];
  /** What its definition, its project and its run give it: a command's environment, the `{{NAME}}` of others. */
  variables: Record<string, string>;
  /** A text with the run's secrets masked. The log, steps and a verdict's message need no call. */
  mask(text: string): string;
  log: RunLog;
  steps: StepLog;
  artifacts: ArtifactSink;
  /** Aborted when the attempt must end now: a stop, its time limit, a lost claim, a worker shutting down. */
  signal: AbortSignal;
}

/**
 * Executes one kind of test. What is around it is the same for all and not its business: files and setup, the time limit,
 * heartbeats, results, artifacts by glob, and the record (see run-attempt).
 */
export interface Runner<Definition extends CommonSettings = TestDefinition> {
  /**
   * Runs one attempt to its end. When it resolves, nothing of the attempt is left, whatever the verdict: no process, no
   * page, no connection. Resolves with `stopped` within 6 s after the signal was aborted; never rejects for what the test
   * did, but with a VariableMissingError. What else rejects is infrastructure: Temporal delivers the attempt again.
   */
  run(definition: Definition, attempt: Attempt): Promise<AttemptVerdict>;
  /** Gives back what attempts share, when the worker ends. */
  close?(): Promise<void>;
}
