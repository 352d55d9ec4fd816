import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The first account. */
export interface KnownAdmin {
  email: string;
  /** Absent if it was changed. */
  password?: string;
  /** A personal token with all scopes. */
  apiToken?: string;
}

/** Credentials created by the local stack, the same at every start. */
export interface Credentials {
  admin?: KnownAdmin;
  /** API tokens by the id of their project. */
  projectTokens: Record<string, string>;
}

/** @throws Error when the file is invalid */
export function readCredentials(file: string): Credentials {
  if (!existsSync(file)) return { projectTokens: {} };
  try {
    return { projectTokens: {}, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials>) };
  } catch (cause) {
    throw new Error(`Cannot read ${file}. Delete it to generate new tokens; passwords do not change.`, {
      cause,
    });
  }
}

/** Writes the file atomically; only its owner can read it. */
export function writeCredentials(file: string, credentials: Credentials): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
