/** One step of a browser test, or a request of an HTTP test. */
export interface RunStep {
  /** `<run id>:<attempt>:<delivery>:<number>`. */
  _id: string;
  runId: string;
  attempt: number;
  delivery: number;
  /** From 1, in starting order. */
  number: number;
  /** Depth in groups and conditions, from 0. */
  depth: number;
  /** In plain English: `click the button “Pay”`. */
  title: string;
  status: 'passed' | 'failed' | 'skipped';
  startedAt: Date;
  durationMs: number;
  /** Why it failed; may have several lines. */
  message?: string;
  /** Further facts, such as console errors and failed requests. */
  details?: string[];
  /** Name of the artifact. */
  screenshot?: string;
}

/** A step reported by a runner. Runners with nested steps set `number`, because inner steps end before outer ones. */
export type StepReport = Omit<RunStep, '_id' | 'runId' | 'attempt' | 'delivery' | 'number'> & { number?: number };
