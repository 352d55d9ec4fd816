import type { Clock } from '#src/domain/clock.js';

/** The database's clock as a test has it. @param aheadMs how far it is ahead of this process's own; negative, behind */
export const aClock = (aheadMs = 0): Clock => ({ now: () => new Date(Date.now() + aheadMs) });
