/** Returns the time. What orders records, or decides something, uses the database's (`src/db/connection/database-clock.ts`). */
export interface Clock {
  now(): Date;
}
