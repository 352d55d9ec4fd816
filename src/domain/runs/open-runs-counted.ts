/** Pages count the open runs of a project up to this number. */
export const OPEN_RUNS_COUNTED = 10_000;
