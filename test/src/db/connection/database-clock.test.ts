import { expect } from 'chai';
import { createDatabaseClock, databaseTime } from '#src/db/connection/database-clock.js';
import { BACKGROUND_TIMEOUTS, connectDatabase } from '#src/db/connection/connect.js';
import { UnavailableError } from '#src/domain/errors.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { withClockAhead } from '#test/support/with-clock-ahead.js';

describe('the database clock', () => {
  /** A database with an adjustable clock, network latency and process clock; all in ms. */
  function aSystem({ databaseTimeMs = 1_000_000, sendMs = 0, answerMs = 0 } = {}) {
    const system = { databaseTimeMs, monotonicMs: 50, sendMs, answerMs };
    const pass = (ms: number) => {
      system.databaseTimeMs += ms;
      system.monotonicMs += ms;
    };
    const clock = createDatabaseClock(
      async () => {
        pass(system.sendMs);
        const time = new Date(system.databaseTimeMs);
        pass(system.answerMs);
        return time;
      },
      () => system.monotonicMs,
    );
    return { system, pass, clock, errorMs: () => clock.now().getTime() - system.databaseTimeMs };
  }

  it('throws before the first reading, instead of estimating', () => {
    expect(() => aSystem().clock.now()).to.throw(UnavailableError);
  });

  it('takes half of the round trip into account', async () => {
    const { clock, errorMs } = aSystem({ sendMs: 40, answerMs: 40 });
    await clock.read();
    expect(errorMs()).to.equal(0);
  });

  it('advances with the monotonic clock between readings', async () => {
    const { clock, pass, errorMs } = aSystem();
    await clock.read();
    pass(123_456);
    expect(errorMs()).to.equal(0);
  });

  it('keeps an accurate reading when a later one was slow in one direction', async () => {
    const { system, clock, pass, errorMs } = aSystem({ sendMs: 1, answerMs: 1 });
    await clock.read();
    pass(10_000);
    Object.assign(system, { sendMs: 0, answerMs: 900 });
    await clock.read();
    expect(errorMs()).to.equal(0);
  });

  it('follows a database whose clock was set, and a primary whose clock differs', async () => {
    const { system, clock, errorMs } = aSystem({ sendMs: 1, answerMs: 1 });
    await clock.read();
    for (const jumpMs of [300_000, -7_200_000]) {
      system.databaseTimeMs += jumpMs;
      await clock.read();
      expect(errorMs(), `after a jump of ${jumpMs} ms`).to.equal(0);
    }
  });

  it('does not step back for a small correction', async () => {
    const { system, clock } = aSystem();
    await clock.read();
    const before = clock.now();
    system.databaseTimeMs -= 20;
    await clock.read();
    expect(clock.now()).to.deep.equal(before);
  });

  it('follows a real database, independently of the clock of this process', async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const { url, db } = await testDatabase();
    const skewMs = 5 * 60_000;
    const database = await connectDatabase(url, BACKGROUND_TIMEOUTS);
    try {
      // The clock of this process jumps while the connection is open.
      await withClockAhead(skewMs, async () => {
        const before = await databaseTime(db);
        const now = database.clock.now();
        expect(Math.abs(now.getTime() - before.getTime())).to.be.below(skewMs / 2);
        expect(Math.abs(now.getTime() - Date.now())).to.be.above(skewMs / 2);
      });
    } finally {
      await database.close();
    }
  });
});
