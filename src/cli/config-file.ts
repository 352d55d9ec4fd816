import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './cli-error.js';
import type { Io } from './io.js';

/** What `runhook login` and `runhook config set` save. */
export interface StoredConfig {
  url?: string;
  token?: string;
  project?: string;
  /** URL of the server that issued the token, which is sent to no other. Absent in old files: `url`. */
  tokenUrl?: string;
}

/** Settings that can be changed. */
export const CONFIG_KEYS = ['url', 'token', 'project'] as const satisfies (keyof StoredConfig)[];
export type ConfigKey = (typeof CONFIG_KEYS)[number];

/** `$XDG_CONFIG_HOME/runhook/config.json`, by default below ~/.config. */
export function configPath(env: Io['env']): string {
  // The XDG specification requires ignoring relative paths.
  const base = env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(env.HOME ?? homedir(), '.config');
  return join(base, 'runhook', 'config.json');
}

/** @throws UsageError when the file exists but cannot be read */
export async function readConfig(env: Io['env']): Promise<StoredConfig> {
  const path = configPath(env);
  try {
    const found = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    return Object.fromEntries(
      [...CONFIG_KEYS, 'tokenUrl']
        .map((key) => [key, found?.[key]])
        .filter(([, value]) => typeof value === 'string' && value !== ''),
    ) as StoredConfig;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`Cannot read ${path} (${(error as Error).message}). Fix or delete it, then sign in again.`);
  }
}

/** Replaces the file; only its owner can read it. */
export async function writeConfig(env: Io['env'], config: StoredConfig): Promise<void> {
  const path = configPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Written to a temporary file and renamed: never incomplete, never with other permissions.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

/** A token masked for display: enough to recognize it. */
export function maskedToken(token: string): string {
  return token.length > 20 ? `${token.slice(0, 8)}…${token.slice(-4)}` : '…';
}
