import { expect } from 'chai';
import { decide, join, leave } from '#workflows/suite-line.js';
import type { WorkflowEnvironment } from './support/environment.js';
import { sharedEnvironment } from './support/shared-environment.js';
import { suiteLineCases } from './support/suite-line-cases.js';

type Line = Parameters<typeof decide>[0];

const begin = (runId: string) => ({ runId, say: { decision: 'begin' } });
const stop = (runId: string) => ({ runId, say: 'stop' });
const skip = (runId: string, behind: string) => ({ runId, say: { decision: 'skip', behind } });

/** Runs `a`, `b`, … triggered one after the other. */
const triggered = (runId: string) => ({ runId, queuedAt: runId.charCodeAt(0) });

describe('suiteLine', () => {
  let environment: WorkflowEnvironment;
  before(async () => {
    environment = await sharedEnvironment();
  });

  it('starts runs one after the other in the order of their triggers', async () => {
    const { results, begun, most, runs, handle } = await suiteLineCases.queue(environment);
    expect(results.map((result) => result?.status)).to.deep.equal(['passed', 'passed', 'passed', 'passed', 'passed']);
    expect(begun).to.deep.equal(runs.map(({ _id }) => _id));
    expect(most).to.equal(1);
    expect((await handle.describe()).status.name).to.equal('COMPLETED');
  });

  it('skips runs while an earlier one is not over, and names that run', async () => {
    const { results, begun, runs, journal } = await suiteLineCases.skip(environment);
    expect(results.map((result) => result?.status)).to.deep.equal([
      'passed',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
    ]);
    expect(begun).to.deep.equal([runs[0]!._id]);
    const skipped = journal.inputs('finishSuite').filter(({ runId }) => runId !== runs[0]!._id);
    for (const { end } of skipped) expect(end!.reason).to.include(runs[0]!._id);
  });

  it('stops the earlier runs and starts when they are over', async () => {
    const { results, begun, most, runs } = await suiteLineCases['stop-previous'](environment);
    expect(results.map((result) => result?.status)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
      'passed',
    ]);
    expect(begun.at(-1)).to.equal(runs[4]!._id);
    expect(most).to.equal(1);
  });

  it('continues after a run that was stopped while it waited', async () => {
    const { results, begun, runs } = await suiteLineCases['stopped-while-waiting'](environment);
    expect(results.map((result) => result?.status)).to.deep.equal(['passed', undefined, 'passed', 'passed', 'passed']);
    expect(begun).to.deep.equal([0, 2, 3, 4].map((index) => runs[index]!._id));
  });

  describe('decides', () => {
    it('nothing before the first run in order has requested its turn', () => {
      const line: Line = [];
      join(line, { ...triggered('b'), overlap: 'queue', earlier: [triggered('a')] });
      expect(decide(line)).to.deep.equal([]);
      join(line, { ...triggered('a'), overlap: 'queue', earlier: [] });
      expect(decide(line)).to.deep.equal([begin('a')]);
      expect(decide(line)).to.deep.equal([]);
      leave(line, 'a');
      expect(decide(line)).to.deep.equal([begin('b')]);
    });

    it('that a run that requests its turn late waits although it was triggered first', () => {
      const line: Line = [];
      join(line, { ...triggered('b'), overlap: 'queue', earlier: [] });
      expect(decide(line)).to.deep.equal([begin('b')]);
      join(line, { ...triggered('a'), overlap: 'queue', earlier: [] });
      expect(decide(line)).to.deep.equal([]);
      leave(line, 'b');
      expect(decide(line)).to.deep.equal([begin('a')]);
    });

    it('to stop again a run that missed the cancellation, and not to start it', () => {
      const line: Line = [];
      join(line, { ...triggered('b'), overlap: 'stop-previous', earlier: [triggered('a')] });
      expect(decide(line)).to.deep.equal([stop('a')]);
      expect(decide(line)).to.deep.equal([]);
      join(line, { ...triggered('a'), overlap: 'stop-previous', earlier: [] });
      expect(decide(line)).to.deep.equal([stop('a')]);
      leave(line, 'a');
      expect(decide(line)).to.deep.equal([begin('b')]);
    });

    it('on each run by its own rule when the suite was changed meanwhile', () => {
      const line: Line = [];
      join(line, { ...triggered('a'), overlap: 'queue', earlier: [] });
      decide(line);
      join(line, { ...triggered('b'), overlap: 'queue', earlier: [triggered('a')] });
      join(line, { ...triggered('c'), overlap: 'skip', earlier: [triggered('b'), triggered('a')] });
      expect(decide(line)).to.deep.equal([skip('c', 'a')]);
      join(line, { ...triggered('d'), overlap: 'stop-previous', earlier: [triggered('b'), triggered('a')] });
      expect(decide(line)).to.deep.equal([stop('a'), stop('b')]);
      leave(line, 'b');
      leave(line, 'a');
      expect(decide(line)).to.deep.equal([begin('d')]);
    });

    it('with one check of each run, however long the line is', () => {
      let looks = 0;
      const line: Line = Array.from({ length: 1000 }, (_, index) => {
        const place = { runId: `run ${index}`, queuedAt: index, overlap: 'stop-previous' as const };
        let stopped: true | undefined;
        return Object.defineProperty(place, 'isStopped', {
          get: () => (looks++, stopped),
          set: (value: true) => (stopped = value),
        });
      });
      const decisions = decide(line);
      expect(decisions.filter(({ say }) => say === 'stop')).to.have.length(999);
      expect(looks).to.be.lessThan(3 * line.length);
    });

    it('nothing twice for a run that repeats its request', () => {
      const line: Line = [];
      for (const _ of [1, 2]) join(line, { ...triggered('a'), overlap: 'skip', earlier: [] });
      expect(decide(line)).to.deep.equal([begin('a')]);
      join(line, { ...triggered('a'), overlap: 'skip', earlier: [] });
      expect(decide(line)).to.deep.equal([]);
      expect(line).to.have.length(1);
    });
  });
});
