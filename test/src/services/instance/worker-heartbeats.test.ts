import { expect } from 'chai';
import { pino } from 'pino';
import { startHeartbeats } from '#src/services/instance/worker-heartbeats.js';
import { aWorker } from '#test/builders/worker.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';

const EVERY = { heartbeatMs: 5, retryMs: 5 };

describe('worker heartbeats', () => {
  let calls: string[];
  let lines: string[];
  let sign: () => Promise<void>;
  beforeEach(() => {
    calls = [];
    lines = [];
    sign = async () => {};
  });
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const note = (call: string) => calls.push(call);
  const start = () =>
    startHeartbeats(
      {
        worker: aWorker(),
        log,
        workers: {
          async heartbeat() {
            await sign();
            note('sign');
          },
          markStopped: async () => void note('sign off'),
          removeOld: async () => void note('remove old'),
        },
      },
      EVERY,
    );

  it('are sent until the worker is marked as stopped', async () => {
    const presence = start();
    await eventually(() => calls.filter((call) => call === 'sign').length > 2 || undefined);
    await presence.stop();
    expect(calls.slice(0, 3)).to.deep.equal(['sign', 'remove old', 'sign']);
    expect(calls.at(-1)).to.equal('sign off');
    expect(calls.filter((call) => call === 'remove old')).to.have.length(1);
  });

  it('mark the worker as stopped after a heartbeat in flight', async () => {
    const { open, opened } = gate();
    sign = () => opened;
    const stopped = start().stop();
    open();
    await stopped;
    expect(calls).to.deep.equal(['sign', 'remove old', 'sign off']);
  });

  it('continue through an outage, which is logged once, and stop in time during one', async () => {
    let failures = 0;
    sign = async () => {
      failures++;
      throw new Error('no database');
    };
    const presence = start();
    await eventually(() => failures > 2 || undefined);
    expect(lines.filter((line) => line.includes('could not send a worker heartbeat'))).to.have.length(1);
    sign = async () => {};
    await eventually(() => lines.some((line) => line.includes('heartbeats work again')) || undefined);
    const began = performance.now();
    sign = () => new Promise(() => {});
    await eventually(() => calls.includes('sign') || undefined);
    await presence.stop();
    expect(performance.now() - began).to.be.below(4000);
  });
});
