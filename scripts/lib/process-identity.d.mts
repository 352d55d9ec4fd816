/** Tells a process apart from a later one with the same pid; undefined when there is no such process. */
export function processIdentity(pid: number): string | undefined;
