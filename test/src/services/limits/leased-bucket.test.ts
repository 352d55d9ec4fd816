import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createRateBuckets, type RateBuckets } from '#src/db/instance/rate-buckets.js';
import { randomId } from '#src/domain/ids.js';
import { createLeasedBucket, type LeasedBucket } from '#src/services/limits/leased-bucket.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

describe('leased bucket', () => {
  let buckets: RateBuckets;
  let draws: number;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const real = createRateBuckets((await testDatabase()).collections);
    buckets = {
      ...real,
      draw(...about) {
        draws++;
        return real.draw(...about);
      },
    };
  });
  beforeEach(() => (draws = 0));

  /** Acquires permits as fast as possible, some concurrently, for a given time. @returns how many were granted */
  async function flood(bucket: LeasedBucket, ms: number): Promise<number> {
    const end = performance.now() + ms;
    let taken = 0;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (performance.now() < end) {
          if ((await bucket.acquire()) === undefined) taken++;
          // Responses take time too.
          await sleep(1);
        }
      }),
    );
    return taken;
  }

  for (const perMinute of [6000, 600, 12])
    it(`grants two servers ${perMinute} permits per minute together, and no more`, async () => {
      const id = randomId();
      const rule = () => ({ perMinute, burst: perMinute });
      const began = performance.now();
      const servers = [1, 2].map(() => createLeasedBucket(buckets, id, rule));
      const taken = await Promise.all(servers.map((server) => flood(server, 3000)));
      const refill = ((performance.now() - began) / 60_000) * perMinute;
      const total = taken.reduce((sum, one) => sum + one, 0);
      expect(total).to.be.at.most(Math.floor(perMinute + refill));
      // The rest is leased, or was refilled since the last draw.
      const slack = Math.ceil(perMinute * 0.005) + 2 * Math.max(1, perMinute / 50);
      expect(total).to.be.at.least(Math.min(perMinute, Math.floor(perMinute + refill - slack)));
      expect(Math.min(...taken), 'both get some').to.be.greaterThan(0);
    });

  it('draws rarely from a full bucket', async () => {
    const bucket = createLeasedBucket(buckets, randomId(), () => ({ perMinute: 1e7, burst: 1e7 }));
    const taken = await flood(bucket, 1000);
    expect(taken).to.be.greaterThan(500);
    expect(draws).to.be.lessThan(12);
  });

  it('returns when the next permit is available', async () => {
    const bucket = createLeasedBucket(buckets, randomId(), () => ({ perMinute: 60, burst: 1 }));
    expect(await bucket.acquire()).to.equal(undefined);
    expect(await bucket.acquire()).to.be.within(800, 1000);
  });

  it('refunds unused permits for other servers', async () => {
    const [id, rule] = [randomId(), () => ({ perMinute: 1, burst: 200 })];
    const idle = createLeasedBucket(buckets, id, rule);
    const taken = 11;
    for (let n = 0; n < taken; n++) await idle.acquire();
    let others = 0;
    await eventually(async () => {
      others += (await buckets.draw(id, rule(), 200)).granted;
      return others >= 200 - taken || undefined;
    });
    expect(others).to.equal(200 - taken);
  });

  it('refunds a permit that was not needed', async () => {
    const bucket = createLeasedBucket(buckets, randomId(), () => ({ perMinute: 1, burst: 1 }));
    await bucket.acquire();
    bucket.refund();
    expect(await bucket.acquire()).to.equal(undefined);
    expect(await bucket.acquire()).to.be.a('number');
  });
});
