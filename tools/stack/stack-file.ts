import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { KnownAdmin } from './credentials-file.js';
import type { SeededProject } from './seed-demo.js';

export type StackProject = Omit<SeededProject, 'name'>;

/** Addresses of a running stack, for tools. Servers given by address have no pid. */
export interface StackInfo {
  baseUrl: string;
  opsUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  temporalUiUrl?: string;
  temporalCli?: string;
  mongodbUrl: string;
  admin?: KnownAdmin;
  demo: StackProject;
  projects: Record<string, StackProject>;
  pids: { server: number; worker: number; temporal?: number; mongodb?: number };
}

/** Writes the file atomically, readable only by its owner, because it contains tokens and a password. */
export function writeStackFile(file: string, info: StackInfo): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Call it when the stack is not ready. */
export function removeStackFile(file: string): void {
  rmSync(file, { force: true });
}
