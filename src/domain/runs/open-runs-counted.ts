/** Where a person is told how many runs of a project are open, more than this are not counted one by one. */
export const OPEN_RUNS_COUNTED = 10_000;
