/** Prints a line for the person at the terminal. */
export type Say = (line: string) => void;

/** Prints to stderr, because stdout is for results. */
export const sayOnStderr: Say = (line) => void process.stderr.write(`  ${line}\n`);
