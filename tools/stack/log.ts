/** Prints a line of progress. */
export type Log = (line: string) => void;

/** Prints to stderr, because stdout is for results. */
export const logToStderr: Log = (line) => void process.stderr.write(`  ${line}\n`);
