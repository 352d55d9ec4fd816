import { durationMs } from '#src/domain/project-file/duration.js';
import { UsageError } from './cli-error.js';
import type { Io } from './io.js';

const DAY_MS = 86_400_000;

/** `90s`, `10m`, `2h`, `30d`. @returns ms. @throws UsageError */
export function parseDuration(text: string, option: string): number {
  const days = /^(\d{1,6})d$/.exec(text);
  const ms = days ? Number(days[1]) * DAY_MS : durationMs(text);
  if (ms === undefined || ms <= 0)
    throw new UsageError(`${option} must be a duration such as 90s, 10m, 2h or 30d, not "${text}"`);
  return ms;
}

/** A time: ISO 8601, or a duration before now such as `2h`. @returns ISO 8601. @throws UsageError */
export function parseMoment(text: string, option: string, now = Date.now()): string {
  if (/^\d+(ms|s|m|h|d)$/.test(text)) return new Date(now - parseDuration(text, option)).toISOString();
  const ms = /^\d{4}-/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms))
    throw new UsageError(`${option} must be a time such as 2026-08-02T10:00:00Z, or a duration before now such as 2h`);
  return new Date(ms).toISOString();
}

/** @throws UsageError */
export function parseCount(text: string, option: string, max: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(number >= 1 && number <= max))
    throw new UsageError(`${option} must be a number from 1 to ${max}, not "${text}"`);
  return number;
}

export interface Variable {
  key: string;
  value: string;
  isSecret?: true;
}

/**
 * `key=value`; `key` alone reads the value from the environment, which keeps secrets out of the process list.
 * @throws UsageError, which never contains a value
 */
export function parseVariables(plain: string[], secret: string[], env: Io['env']): Variable[] {
  const parsed = [
    ...plain.map((text) => parseVariable(text, '--variable', env)),
    ...secret.map((text) => ({ ...parseVariable(text, '--secret-variable', env), isSecret: true as const })),
  ];
  const keys = new Set<string>();
  for (const { key } of parsed) {
    if (keys.has(key)) throw new UsageError(`The variable ${key} is set twice.`);
    keys.add(key);
  }
  return parsed;
}

function parseVariable(text: string, option: string, env: Io['env']): Variable {
  const at = text.indexOf('=');
  const key = at < 0 ? text : text.slice(0, at);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
    throw new UsageError(
      `${option} must be KEY=VALUE, or KEY to read the value from the environment. Keys consist of letters, digits and underscores.`,
    );
  const value = at < 0 ? env[key] : text.slice(at + 1);
  if (value === undefined)
    throw new UsageError(`${option} ${key}: the environment variable ${key} is not set. Set it, or use ${key}=VALUE.`);
  return { key, value };
}
