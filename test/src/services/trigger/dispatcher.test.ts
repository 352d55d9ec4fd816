import { mock } from 'node:test';
import { expect } from 'chai';
import type { PendingRun, PendingStarts } from '#src/db/runs/pending-starts.js';
import { createLogger } from '#src/lib/logger.js';
import { startDispatcher, type Dispatcher, type DispatcherDeps } from '#src/services/trigger/dispatcher.js';
import { aTestRun } from '#test/builders/run.js';
import { eventually } from '#test/support/eventually.js';
import { gate } from '#test/support/gate.js';

class EngineDown extends Error {}
class EngineBusy extends Error {}

const NO_RESULTS = { started: 0, refused: 0, overloaded: 0, unavailable: 0 };

/** An outbox without a database: pending runs with the time from which they are due, and the calls. */
function pendingStarts() {
  const waiting = new Map<string, { run: PendingRun; after: number }>();
  const cleared: string[] = [];
  const released: { ids: string[]; failed: boolean }[] = [];
  const renewed: string[] = [];
  const store: PendingStarts = {
    async claim(limit, leaseMs) {
      const due = [...waiting.values()].filter(({ after }) => after <= Date.now()).slice(0, limit);
      for (const entry of due) entry.after = Date.now() + leaseMs;
      return due.map(({ run }) => run);
    },
    async clear(id) {
      waiting.delete(id);
      cleared.push(id);
    },
    async renew(ids, leaseMs) {
      renewed.push(...ids);
      for (const id of ids) if (waiting.has(id)) waiting.get(id)!.after = Date.now() + leaseMs;
    },
    async release(ids, afterMs, failed) {
      released.push({ ids, failed });
      for (const id of ids) {
        const entry = waiting.get(id);
        if (!entry) continue;
        entry.after = Date.now() + afterMs;
        const attempts = (entry.run.dispatch?.attempts ?? 0) + (failed ? 1 : 0);
        entry.run = { ...entry.run, dispatch: { after: new Date(entry.after), attempts } };
      }
    },
    giveUp: async () => 0,
    count: async () => ({ pending: waiting.size }),
  };
  const add = (run: PendingRun, after: Date) => waiting.set(run._id, { run, after: after.getTime() });
  return { store, add, waiting, cleared, released, renewed };
}

describe('dispatcher', () => {
  let outbox: ReturnType<typeof pendingStarts>;
  let dispatcher: Dispatcher | undefined;
  let started: string[];

  beforeEach(() => {
    outbox = pendingStarts();
    started = [];
  });
  afterEach(async () => {
    mock.timers.reset();
    await dispatcher?.stop();
    dispatcher = undefined;
  });

  function start(some: Partial<DispatcherDeps> = {}): Dispatcher {
    dispatcher = startDispatcher({
      pending: outbox.store,
      start: async (run) => void started.push(run._id),
      engineTroubleOf: (error) =>
        error instanceof EngineBusy ? 'overloaded' : error instanceof EngineDown ? 'unavailable' : undefined,
      log: createLogger('test', 'silent'),
      inFlight: 2,
      maxPending: 10,
      startDeadlineMs: 60_000,
      ...some,
    });
    return dispatcher;
  }

  /** Like the trigger: commits, then enqueues. */
  function accept(to: Dispatcher, some: Parameters<typeof aTestRun>[0] = {}): PendingRun {
    const run = aTestRun(some);
    outbox.add(run, to.firstSweepAt(new Date(), run.projectId));
    to.enqueue(run);
    return run;
  }

  it('starts an accepted run once and clears its entry', async () => {
    const run = accept(start());
    await eventually(() => outbox.cleared.length > 0 || undefined);
    expect(started).to.deep.equal([run._id]);
    expect(outbox.waiting.size).to.equal(0);
  });

  it('limits concurrent starts, and alternates between projects', async () => {
    const first = gate();
    let underWay = 0;
    let most = 0;
    const to = start({
      async start(run) {
        most = Math.max(most, ++underWay);
        await first.opened;
        underWay--;
        started.push(run.projectId);
      },
    });
    for (let n = 0; n < 5; n++) accept(to, { projectId: 'flood' });
    accept(to, { projectId: 'other' });
    first.open();
    await eventually(() => started.length === 6 || undefined);
    expect(most).to.equal(2);
    expect(started.indexOf('other')).to.be.lessThan(3);
  });

  it("starts another project's run at once although a backlog exceeds the queue in memory", async () => {
    const opened: (() => void)[] = [];
    const to = start({
      maxPending: 10_000,
      start: (run) => (started.push(run.projectId), new Promise<void>((open) => opened.push(open))),
    });
    const flood = () => {
      for (let n = 0; n < 1500; n++) accept(to, { projectId: 'flood' });
    };
    flood();
    await eventually(() => started.length === 2 || undefined);
    flood(); // The first starts have left room again.
    accept(to, { projectId: 'other' });
    for (let end = 0; end < 2; end++) {
      opened.shift()!();
      await eventually(() => started.length === 3 + end || undefined);
    }
    expect(started).to.include('other');
    const rest = setInterval(() => opened.splice(0).forEach((open) => open()));
    await to.stop();
    clearInterval(rest);
  });

  it('starts runs that another server left', async () => {
    const run = aTestRun();
    outbox.add(run, new Date());
    start();
    await eventually(() => outbox.cleared.includes(run._id) || undefined);
    expect(started).to.deep.equal([run._id]);
  });

  it('retries a rejected start with backoff, and starts the others', async () => {
    const bad = aTestRun();
    let refusals = 0;
    const to = start({
      onRefused: () => void refusals++,
      async start(run) {
        if (run._id === bad._id) throw new Error('invalid argument');
        started.push(run._id);
      },
    });
    outbox.add(bad, to.firstSweepAt(new Date(), bad.projectId));
    to.enqueue(bad);
    const good = accept(to);
    await eventually(() => (started.includes(good._id) && outbox.released.length > 0) || undefined);
    expect(outbox.released).to.deep.equal([{ ids: [bad._id], failed: true }]);
    expect(refusals).to.equal(1);
    expect(outbox.waiting.get(bad._id)!.after).to.be.greaterThan(Date.now() + 500);
    expect(to.engineDownSince()).to.equal(undefined);
  });

  it('probes with one start at a time while Temporal is down, and starts all runs afterwards', async () => {
    let down = true;
    let underWay = 0;
    let mostWhileDown = 0;
    const to = start({
      onRefused: () => expect.fail('Temporal is down, not refusing'),
      async start(run) {
        underWay++;
        if (to.engineDownSince()) mostWhileDown = Math.max(mostWhileDown, underWay);
        await new Promise(setImmediate);
        underWay--;
        if (down) throw new EngineDown('unavailable');
        started.push(run._id);
      },
    });
    const runs = [accept(to), accept(to), accept(to), accept(to)];
    await eventually(() => to.engineDownSince());
    runs.push(accept(to));
    // Accepted during the outage: due at once for the first sweep after it.
    expect(to.firstSweepAt(new Date(), 'any').getTime()).to.be.at.most(Date.now());
    await eventually(() => outbox.released.filter(({ failed }) => failed).length > 2 || undefined);
    expect(mostWhileDown).to.be.at.most(1);
    down = false;
    await eventually(() => outbox.waiting.size === 0 || undefined);
    expect(new Set(started)).to.deep.equal(new Set(runs.map((run) => run._id)));
    expect(to.engineDownSince()).to.equal(undefined);
  });

  it('repeats a single start without response, which is not an outage', async () => {
    const unlucky = aTestRun();
    let failures = 0;
    const to = start({
      async start(run) {
        if (run._id === unlucky._id && failures < 2) {
          failures++;
          throw new EngineDown('internal');
        }
        started.push(run._id);
      },
    });
    outbox.add(unlucky, to.firstSweepAt(new Date(), unlucky.projectId));
    to.enqueue(unlucky);
    const others = [accept(to), accept(to), accept(to)];
    await eventually(() => started.includes(unlucky._id) || undefined);
    // It failed twice, the second time with nothing else to start; no queued run was released.
    expect(failures).to.equal(2);
    expect(outbox.released).to.deep.equal(Array(2).fill({ ids: [unlucky._id], failed: true }));
    expect(started).to.include.members(others.map((run) => run._id));
    expect(to.state()).to.deep.include({ isEngineDown: false, results: { ...NO_RESULTS, started: 4, unavailable: 2 } });
  });

  it('reduces concurrent starts while Temporal is overloaded, keeps the queue, and increases them again', async () => {
    let isBusy = true;
    let tries = 0;
    const to = start({
      inFlight: 8,
      maxPending: 1000,
      async start(run) {
        tries++;
        await new Promise(setImmediate);
        if (isBusy) throw new EngineBusy('resource exhausted');
        started.push(run._id);
      },
    });
    const runs = Array.from({ length: 100 }, () => accept(to));
    await eventually(() => to.state().inFlightLimit === 1 || undefined);
    expect(tries, 'it pauses instead of trying all of them').to.be.lessThan(50);
    expect(to.engineDownSince()).to.equal(undefined);
    expect(outbox.released, 'the queue is kept').to.deep.equal([]);
    isBusy = false;
    await eventually(() => outbox.waiting.size === 0 || undefined);
    expect(new Set(started)).to.deep.equal(new Set(runs.map((run) => run._id)));
    expect(started).to.have.length(100);
    expect(to.state().inFlightLimit).to.equal(8);
  });

  it('renews the leases of queued runs, so that no other server claims them or gives them up', async () => {
    const first = gate();
    const to = start({ start: () => first.opened });
    const runs = [accept(to), accept(to), accept(to)];
    await eventually(() => outbox.renewed.length >= 3 || undefined);
    expect(new Set(outbox.renewed)).to.deep.equal(new Set(runs.map((run) => run._id)));
    first.open();
  });

  it('gives up runs past their deadline although the queue is full', async () => {
    const first = gate();
    let asked = 0;
    outbox.store.giveUp = async () => (asked++, 0);
    const to = start({ maxPending: 10_000, start: () => first.opened });
    for (let n = 0; n < 1100; n++) accept(to);
    await eventually(() => asked > 0 || undefined);
    first.open();
  });

  it('is full above its bound until runs are started', async () => {
    const first = gate();
    const to = start({ start: () => first.opened });
    for (let n = 0; n < 10; n++) accept(to);
    expect(to.isFull()).to.equal(true);
    first.open();
    await eventually(() => !to.isFull() || undefined);
  });

  it('leaves queued runs to other servers when it stops', async () => {
    const first = gate();
    const to = start({ start: () => first.opened });
    const runs = [accept(to), accept(to), accept(to), accept(to)];
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const stopped = to.stop();
    first.open();
    await stopped;
    expect(outbox.cleared).to.have.members([runs[0]!._id, runs[1]!._id]);
    expect(outbox.released).to.deep.equal([{ ids: [runs[2]!._id, runs[3]!._id], failed: false }]);
    for (const { after } of outbox.waiting.values()) expect(after).to.be.at.most(Date.now());
  });

  it('leaves runs of a late sweep to other servers', async () => {
    const run = aTestRun();
    const claimed = gate();
    let claims = 0;
    outbox.store.claim = async () => (claims++, await claimed.opened, [run]);
    const to = start();
    await eventually(() => claims > 0 || undefined);
    const stopped = to.stop();
    claimed.open();
    await stopped;
    expect(outbox.released).to.deep.equal([{ ids: [run._id], failed: false }]);
    expect(started).to.deep.equal([]);
  });

  it('stops within 6 s although the database does not respond', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    let claims = 0;
    outbox.store.claim = () => (claims++, new Promise(() => {}));
    const to = start();
    mock.timers.tick(1000);
    expect(claims).to.equal(1);
    const stopped = to.stop();
    mock.timers.tick(6000);
    await stopped;
    dispatcher = undefined;
  });

  it('continues after the outbox could not be read', async () => {
    const { claim } = outbox.store;
    let failures = 0;
    outbox.store.claim = async (...args) => {
      if (failures++ < 1) throw new Error('no database');
      return claim(...args);
    };
    const run = aTestRun();
    outbox.add(run, new Date());
    start();
    await eventually(() => started.includes(run._id) || undefined);
    expect(failures).to.be.greaterThan(1);
  });
});
