/** `system`: written by the service, such as when an attempt begins or a worker is lost. */
export type LogStream = 'stdout' | 'stderr' | 'system';

/** One line of a run's log. */
export interface LogLine {
  /** `<run id>:<attempt>:<delivery>:<seq>`, so that a batch can be written again. */
  _id: string;
  runId: string;
  attempt: number;
  delivery: number;
  /** From 1, in reading order within the delivery. */
  seq: number;
  at: Date;
  stream: LogStream;
  text: string;
}
