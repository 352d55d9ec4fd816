import { mock } from 'node:test';
import { expect } from 'chai';
import { watchTemporalSetUp, type TemporalSetUpWatch } from '#src/services/instance/watch-temporal-set-up.js';

/** Runs settled promises. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('watchTemporalSetUp', () => {
  let setUps: number;
  let looks: number;
  let warnings: string[];
  /** Behavior of the calls. */
  let temporal: { setUp: () => void; isSetUp: () => boolean };
  let keeper: TemporalSetUpWatch;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval', 'Date'] });
    [setUps, looks, warnings] = [0, 0, []];
    temporal = { setUp: () => {}, isSetUp: () => true };
  });
  afterEach(() => {
    keeper.stop();
    mock.timers.reset();
  });

  async function start(): Promise<void> {
    keeper = watchTemporalSetUp({
      async setUp() {
        setUps++;
        temporal.setUp();
      },
      async isSetUp() {
        looks++;
        return temporal.isSetUp();
      },
      log: { info: () => {}, warn: (about: { err: Error }) => void warnings.push(about.err.message) } as never,
    });
    await settle();
  }
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 15) {
      mock.timers.tick(15_000);
      await settle();
    }
  };
  const fail =
    (message: string, name = 'Error') =>
    () => {
      throw Object.assign(new Error(message), { name });
    };

  it('sets Temporal up at the start, and then only checks it', async () => {
    await start();
    await pass(60);
    expect({ setUps, looks, warnings }).to.deep.equal({ setUps: 1, looks: 4, warnings: [] });
  });

  it('sets it up again when it has lost its data', async () => {
    await start();
    temporal.isSetUp = () => false;
    await pass(15);
    expect(setUps).to.equal(2);
  });

  it('retries until Temporal is available, and logs the problem once', async () => {
    temporal.setUp = fail('no connection');
    await start();
    await pass(60);
    expect(setUps).to.equal(5);
    expect(warnings).to.deep.equal(['no connection']);
    temporal.setUp = () => {};
    await pass(15);
    temporal.isSetUp = fail('no connection');
    await pass(15);
    temporal.isSetUp = () => true;
    await pass(15);
    expect(setUps, 'checked after the outage: it may be another Temporal').to.equal(7);
  });

  it('sets it up when a start was refused, at most every 30 s', async () => {
    await start();
    keeper.startRefused();
    expect(setUps).to.equal(1);
    await pass(30);
    keeper.startRefused();
    keeper.startRefused();
    await settle();
    expect(setUps).to.equal(2);
  });

  it('logs missing permissions once, and does not retry', async () => {
    temporal.setUp = fail('create them there', 'SetUpDeniedError');
    await start();
    await pass(120);
    expect({ setUps, warnings }).to.deep.equal({ setUps: 1, warnings: ['create them there'] });
  });
});
