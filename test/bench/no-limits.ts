import { LIMITS, PROJECT_LIMITS } from '#src/domain/limits.js';

/** Variables that disable the limits of a server. */
export const NO_LIMITS: Record<string, string> = Object.fromEntries(
  PROJECT_LIMITS.map((name) => [LIMITS[name].variable, String(LIMITS[name].max)]),
);
