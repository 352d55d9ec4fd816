import { expect } from 'chai';
import type { RunChange } from '#src/db/runs/run-changes.js';
import type { Changes } from '#src/services/live/change-feed.js';
import { createLive, type LiveDeps } from '#src/services/live/live.js';
import type { LogAddition } from '#src/services/live/live-log-tail.js';
import { aClock } from '#test/builders/clock.js';
import { logLine } from '#test/builders/sample-runs.js';
import { eventually } from '#test/support/eventually.js';

const run = (id: string, some: Partial<RunChange> = {}): RunChange => ({
  _id: id,
  kind: 'test',
  projectId: 'p',
  status: 'running',
  queuedAt: new Date(),
  modified: new Date(),
  ...some,
});

function watched(some: { runs?: RunChange[]; fails?: () => boolean } = {}) {
  const looks: string[][] = [];
  const logLooks: string[] = [];
  const warnings: unknown[] = [];
  const deps: LiveDeps = {
    changes: {
      async of(ids) {
        looks.push([...ids]);
        if (some.fails?.()) throw new Error('down');
        return (some.runs ?? []).filter(({ _id }) => ids.includes(_id));
      },
      since: async () => some.runs ?? [],
    },
    logs: {
      async before() {
        logLooks.push('before');
        return { lines: [logLine('first')], isLonger: false };
      },
      async after() {
        logLooks.push('after');
        return { lines: logLooks.length === 2 ? [logLine('second')] : [], isLonger: false };
      },
    },
    clock: aClock(),
    log: { warn: (...args: unknown[]) => void warnings.push(args) } as LiveDeps['log'],
    everyMs: 5,
  };
  return { live: createLive(deps), looks, logLooks, warnings };
}

describe('live updates', () => {
  it('makes no queries without watchers', async () => {
    const { live, looks } = watched();
    const gone = new AbortController();
    expect(looks).to.deep.equal([]);
    live.watch(['run:a'], gone.signal, () => {});
    await eventually(() => looks.length >= 3 || undefined);
    gone.abort();
    const { length } = looks;
    const other = watched();
    other.live.watch(['run:b'], new AbortController().signal, () => {});
    await eventually(() => other.looks.length >= 10 || undefined);
    other.live.close();
    expect(looks.length).to.be.at.most(length + 1);
  });

  it('makes one query for all watchers', async () => {
    const { live, looks } = watched();
    const gone = new AbortController();
    for (let viewer = 0; viewer < 9; viewer++) live.watch(['run:a'], gone.signal, () => {});
    await eventually(() => looks.length >= 2 || undefined);
    gone.abort();
    expect(looks[1]).to.deep.equal(['a']);
  });

  it('notifies each watcher of its topics', async () => {
    const runs = [run('a'), run('b', { suiteRunId: 's' }), run('c', { projectId: 'q' })];
    const { live } = watched({ runs });
    const heard: Record<string, string[]> = {};
    for (const topic of ['run:a', 'suite:s', 'project:q', 'run:z'] as const)
      live.watch([topic], new AbortController().signal, (changes: Changes) => {
        heard[topic] = changes.runs.map(({ _id }) => _id);
      });
    await eventually(() => Object.keys(heard).length === 3 || undefined);
    live.close();
    expect(heard).to.deep.equal({ 'run:a': ['a'], 'suite:s': ['b'], 'project:q': ['c'] });
  });

  it('continues after an outage of the database, which is logged once', async () => {
    let left = 3;
    const heard: Changes[] = [];
    const { live, warnings } = watched({ runs: [run('a')], fails: () => left-- > 0 });
    live.watch(['run:a'], new AbortController().signal, (changes) => heard.push(changes));
    await eventually(() => heard.length > 0 || undefined);
    live.close();
    expect(warnings).to.have.length(1);
  });

  it('reads a log once for all watchers, only new lines, until the run has ended', async () => {
    const { live, logLooks, looks } = watched({ runs: [run('a', { status: 'passed' })] });
    const heard: LogAddition[] = [];
    const { signal } = new AbortController();
    live.watch(['run:a'], signal, () => {});
    const watch = live.watchLog('a', signal, (addition) => heard.push(addition));
    live.watchLog('a', signal, () => {});
    await eventually(() => looks.length > 20 || undefined);
    live.close();
    // The last lines, one addition, and the empty reads after the end.
    expect(logLooks).to.have.length(8);
    expect(heard.map(({ lines }) => lines[0]!.text)).to.deep.equal(['first', 'second']);
    expect(heard[1]!.after).to.equal(heard[0]!.lines[0]);
    expect(watch.recent()!.lines).to.have.length(2);
  });
});
