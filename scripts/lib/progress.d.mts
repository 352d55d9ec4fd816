/** Shows that a long step goes on: a line that refreshes on a terminal, else one every 15 s. */
export function withProgress<T>(what: string, work: () => Promise<T>, out?: NodeJS.WritableStream): Promise<T>;

/** `75_000` → `1m15s` */
export function elapsed(ms: number): string;
