import { expect } from 'chai';
import type { RunChange, RunChanges } from '#src/db/runs/run-changes.js';
import type { Watched } from '#src/services/live/topics.js';
import { createChangeFeed } from '#src/services/live/change-feed.js';

const T0 = Date.UTC(2026, 7, 2, 12);
const change = (id: string, ms: number, some: Partial<RunChange> = {}): RunChange => ({
  _id: id,
  kind: 'test',
  projectId: 'p',
  status: 'running',
  queuedAt: new Date(),
  modified: new Date(T0 + ms),
  ...some,
});
const PROJECT: Watched = { runIds: [], suiteRunIds: [], projectIds: ['p'] };

/** A fake database of runs, with its clock and the queries. */
function database() {
  const clock = { ms: 0 };
  const runs: RunChange[] = [];
  const asked: { from: number; limit: number }[] = [];
  let isDown = false;
  const store: RunChanges = {
    of: async (ids) => runs.filter(({ _id }) => ids.includes(_id)),
    async since(moment, _whose, limit) {
      if (isDown) throw new Error('down');
      asked.push({ from: moment.getTime() - T0, limit });
      return runs.filter(({ modified }) => modified >= moment).slice(0, limit);
    },
  };
  const feed = createChangeFeed(store, { now: () => new Date(T0 + clock.ms) });
  const read = async (watched = PROJECT) => (await feed.read(watched)).runs.map(({ _id }) => _id);
  return { clock, runs, asked, feed, read, down: (is: boolean) => (isDown = is) };
}

describe('change feed', () => {
  it('reports each state of a run once', async () => {
    const { runs, clock, read } = database();
    runs.push(change('a', -100));
    expect(await read()).to.deep.equal(['a']);
    clock.ms = 500;
    expect(await read()).to.deep.equal([]);
    runs[0] = change('a', 600);
    expect(await read()).to.deep.equal(['a']);
    expect(await read()).to.deep.equal([]);
  });

  it('finds a write that becomes visible after its timestamp', async () => {
    const { runs, clock, read } = database();
    await read();
    clock.ms = 500;
    await read();
    clock.ms = 1000;
    runs.push(change('late', -1500));
    expect(await read()).to.deep.equal(['late']);
  });

  it('reads from the last successful read on', async () => {
    const { clock, asked, read, down } = database();
    await read();
    down(true);
    clock.ms = 20_000;
    await read().then(
      () => expect.fail('it is down'),
      (error: Error) => expect(error.message).to.equal('down'),
    );
    down(false);
    clock.ms = 40_000;
    await read();
    expect(asked.map(({ from }) => from)).to.deep.equal([-3000, -3000]);
  });

  it('finds changes of runs that are watched by ID, regardless of their timestamp', async () => {
    const { runs, read } = database();
    runs.push(change('old', -1_000_000));
    const watched = { ...PROJECT, projectIds: [], runIds: ['old'] };
    expect(await read(watched)).to.deep.equal(['old']);
    expect(await read(watched)).to.deep.equal([]);
    runs[0] = change('old', -999_999);
    expect(await read(watched)).to.deep.equal(['old']);
  });

  it('reports a run again when it counts as late: its page then explains why', async () => {
    const { runs, clock, read } = database();
    const watched = { ...PROJECT, projectIds: [], runIds: ['waits'] };
    runs.push(change('waits', 0, { status: 'queued', queuedAt: new Date(T0) }));
    clock.ms = 1000;
    expect(await read(watched)).to.deep.equal(['waits']);
    expect(await read(watched)).to.deep.equal([]);
    clock.ms = 6000;
    expect(await read(watched)).to.deep.equal(['waits']);
    expect(await read(watched)).to.deep.equal([]);
  });

  it('reports when there are too many changes to list', async () => {
    const { runs, feed } = database();
    for (let index = 0; index < 2001; index++) runs.push(change(`run ${index}`, 0));
    expect((await feed.read(PROJECT)).isAll).to.equal(true);
    expect((await feed.read({ ...PROJECT, runIds: ['run 1'] })).isAll).to.equal(true);
  });
});
