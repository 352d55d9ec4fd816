import type { Clock } from '#src/domain/clock.js';

/** A database clock for tests. @param aheadMs difference from this process's clock */
export const aClock = (aheadMs = 0): Clock => ({ now: () => new Date(Date.now() + aheadMs) });
