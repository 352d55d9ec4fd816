/**
 * How the programs of an attempt are isolated: `namespaces` hides the processes and files of the machine from them;
 * `none`: they run as the worker's user and can read what it can read.
 */
export const ISOLATION_LEVELS = ['namespaces', 'none'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];
