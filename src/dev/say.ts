/** Tells the person at the terminal one line. */
export type Say = (line: string) => void;

/** Lines on stderr, so that stdout stays free for results. */
export const sayOnStderr: Say = (line) => void process.stderr.write(`  ${line}\n`);
