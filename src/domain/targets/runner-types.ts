export const RUNNERS = ['command', 'browser', 'http'] as const;

/** The runner type of a test: what executes it. */
export type RunnerKind = (typeof RUNNERS)[number];
