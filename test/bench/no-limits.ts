import { LIMITS, PROJECT_LIMITS } from '#src/domain/limits.js';

/** Variables of a server that lets through whatever a benchmark sends. */
export const NO_LIMITS: Record<string, string> = Object.fromEntries(
  PROJECT_LIMITS.map((name) => [LIMITS[name].variable, String(LIMITS[name].max)]),
);
