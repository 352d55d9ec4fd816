import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The first account. */
export interface KnownAdmin {
  email: string;
  /** Absent: somebody has changed it. */
  password?: string;
  /** A personal token with all scopes, `admin` too. */
  apiToken?: string;
}

/** What the local stack has made for tools and its banner, the same at every start. */
export interface Credentials {
  admin?: KnownAdmin;
  /** API tokens by the id of their project. */
  projectTokens: Record<string, string>;
}

/** @throws Error when the file holds something else */
export function readCredentials(file: string): Credentials {
  if (!existsSync(file)) return { projectTokens: {} };
  try {
    return { projectTokens: {}, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials>) };
  } catch (cause) {
    throw new Error(`${file} cannot be read. Remove it: new tokens are made, and passwords stay as they are.`, {
      cause,
    });
  }
}

/** Writes the file at once as a whole, readable by its owner only. */
export function writeCredentials(file: string, credentials: Credentials): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
