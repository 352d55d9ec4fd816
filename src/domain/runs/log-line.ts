/** `system` is the service speaking: an attempt begins, a worker was lost, the log was cut. */
export type LogStream = 'stdout' | 'stderr' | 'system';

/** One line of a run's log. */
export interface LogLine {
  /** `<run id>:<attempt>:<delivery>:<seq>`: a batch that is written twice is there once. */
  _id: string;
  runId: string;
  attempt: number;
  delivery: number;
  /** From 1, in the order in which the lines were read within the delivery. */
  seq: number;
  at: Date;
  stream: LogStream;
  text: string;
}
