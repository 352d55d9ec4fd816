/** The parts of the system under test and the links between them, by name. */
export const SERVERS = ['server-1', 'server-2'] as const;
export const WORKERS = ['worker-1', 'worker-2'] as const;
export const STORES = ['mongodb', 'temporal'] as const;

export type ServerName = (typeof SERVERS)[number];
export type WorkerName = (typeof WORKERS)[number];
export type StoreName = (typeof STORES)[number];
export type MemberName = ServerName | WorkerName | StoreName;

/** `near→far`: each has its own TCP proxy. */
export const LINKS: readonly string[] = [
  ...SERVERS.map((server) => `caller→${server}`),
  ...[...SERVERS, ...WORKERS].flatMap((program) => STORES.map((store) => `${program}→${store}`)),
];
