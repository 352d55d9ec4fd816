import { expect } from 'chai';
import type { Changes } from '#src/services/live/change-feed.js';
import type { Live } from '#src/services/live/live.js';
import { openChannel, type LiveSource } from '#src/server/live/channel.js';
import type { EventStream } from '#src/server/live/event-stream.js';
import { eventually } from '#test/support/eventually.js';

const ALL: Changes = { runs: [], isAll: true };

function viewer() {
  const got: string[] = [];
  let isEnded = false;
  const stream = {
    send: (message: Buffer) => void got.push(message.toString().replace(/^data: |\n+$/g, '')),
    ping: () => {},
    end: () => (isEnded = true),
  } as unknown as EventStream;
  return { stream, got, isEnded: () => isEnded };
}

function channel(render: LiveSource['render']) {
  let change: (changes: Changes) => void = () => {};
  const live = { watch: (_topics, _signal, onChange) => void (change = onChange) } as Live;
  const opened = openChannel(live, { topics: ['run:a'], render }, { warn: () => {} } as never);
  return { ...opened, change: (changes = ALL) => change(changes) };
}

describe('live channel', () => {
  it('sends the state first, read once for viewers that join together', async () => {
    let renders = 0;
    const { join } = channel(async () => `state ${++renders}`);
    const viewers = Array.from({ length: 50 }, viewer);
    viewers.forEach(({ stream }) => join(stream));
    await eventually(() => viewers.every(({ got }) => got.length === 1) || undefined);
    expect(new Set(viewers.flatMap(({ got }) => got))).to.deep.equal(new Set(['state 1']));
  });

  it('renders a change once, and reads the state again for a viewer that joins later', async () => {
    const rendered: string[] = [];
    const { join, change } = channel(async (changes) => {
      rendered.push(changes ? 'change' : 'state');
      return `${rendered.length}`;
    });
    const [first, second, third] = [viewer(), viewer(), viewer()];
    [first, second].forEach(({ stream }) => join(stream));
    await eventually(() => second.got.length === 1 || undefined);
    change();
    await eventually(() => second.got.length === 2 || undefined);
    join(third.stream);
    await eventually(() => third.got.length === 1 || undefined);
    expect(rendered).to.deep.equal(['state', 'change', 'state']);
    expect([first.got, second.got, third.got]).to.deep.equal([['1', '2'], ['1', '2'], ['3']]);
  });

  it('reads the page again with its log, if the page depends on the log', async () => {
    let addLines: Parameters<Live['watchLog']>[2] = () => {};
    const live = {
      watch: () => {},
      watchLog: (_runId, _signal, onLines) => ((addLines = onLines), { recent: () => undefined }),
      close: () => {},
    } satisfies Live;
    let renders = 0;
    let hasSteps = false;
    const log = { runId: 'a', render: () => 'lines', changesPage: () => hasSteps };
    const source: LiveSource = { topics: ['run:a'], render: async () => `state ${++renders}`, log };
    const { join } = openChannel(live, source, { warn: () => {} } as never);
    const { stream, got } = viewer();
    join(stream);
    await eventually(() => got.length === 1 || undefined);
    addLines({ lines: [] });
    hasSteps = true;
    addLines({ lines: [] });
    await eventually(() => got.length === 4 || undefined);
    expect(got.filter((message) => message.startsWith('state'))).to.deep.equal(['state 1', 'state 2']);
  });

  it('sends changes that arrive during a read together, and none twice', async () => {
    const asked: (Changes | undefined)[] = [];
    const held: (() => void)[] = [];
    const { join, change } = channel(async (changes) => {
      asked.push(changes);
      await new Promise<void>((resolve) => held.push(resolve));
      return changes ? 'same' : 'state';
    });
    const one = viewer();
    join(one.stream);
    const next = async (count: number) => {
      await eventually(() => held.length === count || undefined);
      held[count - 1]!();
    };
    await next(1);
    change();
    await eventually(() => held.length === 2 || undefined);
    change({ runs: [{ _id: 'a' } as never], isAll: false });
    change({ runs: [{ _id: 'b' } as never], isAll: false });
    await next(2);
    await next(3);
    await eventually(() => one.got.length === 2 || undefined);
    expect(asked[2]!.runs.map(({ _id }) => _id)).to.deep.equal(['a', 'b']);
    expect(one.got).to.deep.equal(['state', 'same']);
  });

  it('ends its streams after a failed read, so that viewers reconnect to the current state', async () => {
    let fails = false;
    const { join, change } = channel(async () => {
      if (fails) throw new Error('down');
      return 'state';
    });
    const one = viewer();
    join(one.stream);
    await eventually(() => one.got.length === 1 || undefined);
    fails = true;
    change();
    await eventually(() => one.isEnded() || undefined);
    fails = false;
    const again = viewer();
    join(again.stream);
    await eventually(() => again.got.length === 1 || undefined);
  });
});
