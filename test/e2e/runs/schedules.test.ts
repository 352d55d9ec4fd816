import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Run } from '#src/domain/runs/run.js';
import { eventually } from '#test/support/eventually.js';
import { startStack, type TestStack } from '#test/support/stack.js';

const MINUTE_MS = 60_000;

const PROJECT = `
project: Clockwork
tests:
  - name: Tick
    command: ['true']
schedules:
  - name: Each minute
    test: Tick
    cron: '* * * * *'
    timeZone: Europe/Stockholm
    catchUp: 5m
`;

describe('a schedule', () => {
  let stack: TestStack;
  before(async function () {
    this.timeout(600_000);
    stack = await startStack();
  });
  after(async function () {
    this.timeout(60_000);
    await stack.stop();
  });

  const lastMinute = () => new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);

  /** The run of a minute, once it is over; how late it was queued and started, in ms. */
  async function runOf(minute: Date, withinMs: number) {
    const run = await eventually(async () => {
      const schedule = await stack.collections.schedules.findOne({ 'lastFired.at': minute });
      const found = await stack.collections.runs.findOne({ _id: schedule?.lastFired?.runId ?? '' });
      return found?.endedAt ? found : undefined;
    }, withinMs);
    const late = (at: Date | undefined) => at!.getTime() - minute.getTime();
    return { run, queuedMs: late(run.queuedAt), startedMs: late(run.startedAt) };
  }

  it('fires on time before and after a restart of everything, and catches up on the time in between', async function () {
    this.timeout(240_000);
    await stack.importText(PROJECT);
    await eventually(async () => {
      for await (const { scheduleId } of stack.temporal.schedule.list())
        if (scheduleId.startsWith(`${stack.queue}-schedule-`)) return true;
      return undefined;
    }, 20_000);

    const first = new Date(lastMinute().getTime() + MINUTE_MS);
    await sleep(first.getTime() - Date.now());
    const before = await runOf(first, 15_000);

    const second = new Date(first.getTime() + MINUTE_MS);
    await Promise.all([stack.server.kill('SIGKILL'), stack.worker.kill('SIGKILL')]);
    await stack.restartMongodb(() => stack.restartTemporal(() => sleep(second.getTime() + 1000 - Date.now())));
    const upAt = Date.now();
    await Promise.all([stack.server.start(), stack.worker.start()]);
    const missed = await runOf(second, 45_000);

    const third = new Date(second.getTime() + MINUTE_MS);
    await sleep(Math.max(0, third.getTime() - Date.now()));
    const after = await runOf(third, 20_000);

    const figures = ({ queuedMs, startedMs }: typeof before) =>
      `queued after ${queuedMs} ms, begun after ${startedMs} ms`;
    console.log(`      before: ${figures(before)}`);
    console.log(`      missed: ${figures(missed)} (stores back after ${upAt - second.getTime()} ms)`);
    console.log(`      after:  ${figures(after)}`);

    for (const { run } of [before, missed, after]) {
      expect(run.status).to.equal('passed');
      expect(run.triggeredBy).to.deep.equal({ type: 'schedule', name: 'Each minute' });
    }
    // Temporal fires within the second; anything beyond is due to the machine.
    for (const { queuedMs } of [before, after]) expect(queuedMs).to.be.within(0, 10_000);
    const minutes = (runs: Run[]) => runs.map(({ _id }) => _id).sort();
    expect(minutes(await stack.collections.runs.find().toArray()), 'one run each minute, and no other').to.deep.equal(
      [before, missed, after].map(({ run }) => run._id).sort(),
    );
  });
});
