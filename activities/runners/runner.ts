import type { Readable } from 'node:stream';
import type { CommonSettings, TestDefinition } from '#src/domain/targets/definitions.js';
import type { LogStream } from '#src/domain/runs/log-line.js';
import type { Sandbox } from '#activities/isolation/sandbox.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { StepReport } from '#src/domain/runs/run-step.js';

/** Receives the output of a test. */
export interface RunLog {
  /**
   * Writes output in chunks of any size; it is split into lines, and secrets are masked. Resolves when there is room
   * for more: until then, the runner must not read further output (backpressure).
   */
  write(stream: LogStream, chunk: Buffer | string): Promise<void>;
}

/** Receives the steps of a test, each when it ends; shown as a table. */
export interface StepLog {
  /** Masks secrets in the step's texts. */
  write(step: StepReport): Promise<void>;
}

/** A file to save with the run. */
export interface NewArtifact {
  /** A relative path, such as `screenshots/step-4.png`. */
  name: string;
  contentType: string;
  content: Buffer | Readable;
  /** Size of a stream in bytes, if known; too large files are then not read at all. */
  size?: number;
}

/** Receives files to save with the run. */
export interface ArtifactSink {
  /** @returns false if the file was not saved; the log gives the reason, and the test continues */
  add(file: NewArtifact): Promise<boolean>;
}

/** One attempt of a test, as passed to a runner. */
export interface Attempt {
  runId: string;
  projectId: string;
  testId: string;
  /** From 1. */
  number: number;
  /** The working folder, absolute: from the definition, from the repository, or an empty one. */
  folder: string;
  /** Real paths of the worker's own folders, whose files are never opened for a test, even below `folder`. */
  closedFolders?: readonly string[];
  /** What its programs may use of the machine. Absent where they are not isolated. */
  sandbox?: Sandbox;
  /** Variables of the definition, the project and the run: environment of a command, `{{NAME}}` in other types. */
  variables: Record<string, string>;
  /** Masks the run's secrets. The log, steps and messages of verdicts are masked without it. */
  mask(text: string): string;
  log: RunLog;
  steps: StepLog;
  artifacts: ArtifactSink;
  /** Aborted when the attempt must end: a stop, the time limit, a lost claim, a shutdown of the worker. */
  signal: AbortSignal;
}

/**
 * Executes tests of one runner type. Everything else is shared by all runners (see run-attempt): files and setup, the
 * time limit, heartbeats, results, artifacts by glob, and the record.
 */
export interface Runner<Definition extends CommonSettings = TestDefinition> {
  /**
   * Runs one attempt. When it resolves, no process, page or connection of the attempt is left. Resolves with `stopped`
   * within 6 s after the signal was aborted. Errors caused by the test are verdicts, except VariableMissingError; it
   * rejects on all other errors, and Temporal then delivers the attempt again.
   */
  run(definition: Definition, attempt: Attempt): Promise<AttemptVerdict>;
  /** Releases resources that attempts share, when the worker shuts down. */
  close?(): Promise<void>;
}
