/** One step of an attempt: of a browser test, or a request of an HTTP test. */
export interface RunStep {
  /** `<run id>:<attempt>:<delivery>:<number>`. */
  _id: string;
  runId: string;
  attempt: number;
  delivery: number;
  /** From 1, in the order in which they began. */
  number: number;
  /** How deep in groups and conditions, from 0. */
  depth: number;
  /** What it does, in a person's words: `click the button “Pay”`. */
  title: string;
  status: 'passed' | 'failed' | 'skipped';
  startedAt: Date;
  durationMs: number;
  /** Why it failed, in a person's words; may have several lines. */
  message?: string;
  /** What else is known of it, a line each: errors on the console, requests that failed. */
  details?: string[];
  /** Name of the picture among the run's artifacts. */
  screenshot?: string;
}

/** A step as a runner tells it; `number`: of a runner whose steps hold others, which end before the one that holds them. */
export type StepReport = Omit<RunStep, '_id' | 'runId' | 'attempt' | 'delivery' | 'number'> & { number?: number };
