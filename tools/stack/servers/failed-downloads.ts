import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { elapsed } from '#scripts/lib/progress.mjs';

/** How long a failed download is not retried, so that later starts are quick. */
const REMEMBER_MS = 3_600_000;

interface Failure {
  at: number;
  reason: string;
}

const fileOf = (cache: string, what: string) => join(cache, `${what}-download-failed.json`);

/** Why a download failed within the last hour; undefined when it can be retried. */
export function recentFailure(cache: string, what: string, now = Date.now()): string | undefined {
  try {
    const { at, reason } = JSON.parse(readFileSync(fileOf(cache, what), 'utf8')) as Failure;
    const age = now - at;
    return age >= 0 && age < REMEMBER_MS ? `${reason} (${elapsed(age)} ago; retried after an hour)` : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Call it only when there is an alternative; without one, each start should retry the download. */
export function rememberFailure(cache: string, what: string, reason: string, now = Date.now()): void {
  mkdirSync(cache, { recursive: true });
  writeFileSync(fileOf(cache, what), JSON.stringify({ at: now, reason } satisfies Failure));
}
