import type { Db } from 'mongodb';
import type { Clock } from '#src/domain/clock.js';
import { UnavailableError } from '#src/domain/errors.js';
import { repeat, type Repetition } from '#src/lib/repeat.js';

const FIRST_READ_RETRY_MS = 250;
const REFRESH_MS = 10_000;
const MAX_TIME_MS = 2000;
const RETRY_AFTER_SECONDS = 1;
/** Maximum drift between two monotonic clocks, in ms per ms: ten times that of a quartz crystal. */
const MAX_DRIFT = 0.0005;
/** Timestamps have whole milliseconds. */
const RESOLUTION_MS = 1;
/** The clock never steps back by up to this many ms; a larger correction means that the database's clock was set. */
const SLEW_MS = 1000;

/** A process's estimate of the database's clock. */
export interface DatabaseClock extends Clock {
  /**
   * The database's time without a query: the last reading plus the time since then by the monotonic clock, so that
   * changes of the process's own clock have no effect.
   * @throws UnavailableError until the first reading
   */
  now(): Date;
  /** @throws the driver's error when the database does not answer */
  read(): Promise<void>;
  /** Reads the clock now and then regularly, until `stop`. A failed read keeps the last reading. */
  start(): void;
  /** Resolves at the first reading after `start`. */
  known: Promise<void>;
  stop(): void;
}

/** One reading: at `at` (monotonic, ms) the database's time was `time` (Unix, ms), give or take `errorMs`. */
interface Reading {
  at: number;
  time: number;
  errorMs: number;
}

/**
 * @param readTime queries the database's time
 * @param monotonic monotonic time, in ms
 */
export function createDatabaseClock(
  readTime: () => Promise<Date>,
  monotonic: () => number = () => performance.now(),
): DatabaseClock {
  let kept: Reading | undefined;
  let last = 0;
  let reading: Repetition | undefined;
  let isKnown = () => {};
  const known = new Promise<void>((resolve) => (isKnown = resolve));

  const timeAt = (reading: Reading, moment: number) => reading.time + (moment - reading.at);
  const errorAt = (reading: Reading, moment: number) => reading.errorMs + (moment - reading.at) * MAX_DRIFT;

  async function read(): Promise<void> {
    const sentAt = monotonic();
    const time = (await readTime()).getTime();
    const roundTripMs = monotonic() - sentAt;
    const found = { at: sentAt + roundTripMs / 2, time, errorMs: roundTripMs / 2 + RESOLUTION_MS };
    if (!kept || isBetter(found, kept)) kept = found;
    isKnown();
  }

  /** A slow response is inaccurate: the previous reading stays, unless the two contradict each other. */
  function isBetter(reading: Reading, previous: Reading): boolean {
    const previousError = errorAt(previous, reading.at);
    const difference = Math.abs(reading.time - timeAt(previous, reading.at));
    return reading.errorMs <= previousError || difference > reading.errorMs + previousError;
  }

  return {
    now() {
      if (!kept)
        throw new UnavailableError('The database is unavailable. Try again.', RETRY_AFTER_SECONDS, {
          dependency: 'database',
        });
      const time = Math.floor(timeAt(kept, monotonic()));
      if (time > last || last - time > SLEW_MS) last = time;
      return new Date(last);
    },
    read,
    start() {
      // The connection reports an unavailable database.
      const readQuietly = async () => {
        await read().catch(() => {});
        return kept ? REFRESH_MS : FIRST_READ_RETRY_MS;
      };
      reading = repeat(readQuietly, { everyMs: REFRESH_MS });
    },
    known,
    stop: () => void reading?.stop(),
  };
}

/**
 * The time by the primary's clock. The embedded engine omits it from `hello`.
 * @throws the driver's error when the database does not answer
 */
export async function databaseTime(db: Db): Promise<Date> {
  const { localTime } = await db.admin().command({ hello: 1 });
  if (localTime instanceof Date) return localTime;
  const pipeline = [{ $documents: [{}] }, { $project: { now: '$$NOW' } }];
  return (await db.aggregate<{ now: Date }>(pipeline, { maxTimeMS: MAX_TIME_MS }).next())!.now;
}
