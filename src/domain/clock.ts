/** Use the database's clock (`database-clock.ts`) for every time that orders records or decides something. */
export interface Clock {
  now(): Date;
}
