import { expect } from 'chai';
import { addToTarget, medianOf, type EndedRun, type TargetRecord } from '#src/domain/stats/target-stats.js';
import { anEndedRun } from '#test/builders/ended-run.js';

const NOON = Date.UTC(2026, 7, 2, 12);
const at = (seconds: number) => new Date(NOON + seconds * 1000);

/** Runs of one test, a second apart. */
function runs(...some: Partial<EndedRun>[]): EndedRun[] {
  return some.map((one, index) => anEndedRun({ projectId: 'p', targetId: 't', endedAt: at(index), ...one }));
}

function counted(list: EndedRun[], existing?: TargetRecord): TargetRecord {
  return addToTarget(existing, list, list.at(-1)!.modified)!;
}

describe('statistics of a test', () => {
  it('contain the last verdict, the pass rate and the median duration', () => {
    const list = runs(
      { status: 'passed', startedAt: at(-3) },
      { status: 'failed', startedAt: at(-4) },
      { status: 'passed', startedAt: at(-98) },
      { status: 'error' },
    );
    const record = counted(list);
    expect(record).to.deep.include({ _id: 't', kind: 'test', status: 'error', passRate: 0.5, medianMs: 5000 });
    expect(record.lastEndedAt).to.deep.equal(at(3));
    expect(record.recent.map(({ runId }) => runId)).to.deep.equal(list.map(({ _id }) => _id));
  });

  it('use the last 20 runs', () => {
    const list = runs(...Array.from({ length: 20 }, () => ({ status: 'failed' as const })));
    const after = counted(runs(...Array.from({ length: 10 }, () => ({ endedAt: at(100) }))), counted(list));
    expect(after.recent).to.have.length(20);
    expect(after.passRate).to.equal(0.5);
  });

  it('skip runs that are already counted', () => {
    const list = runs({}, { status: 'failed' });
    const record = counted(list);
    expect(addToTarget(record, list, at(50))).to.equal(undefined);
    const again = addToTarget(record, [...list, ...runs({ endedAt: at(60) })], at(60))!;
    expect(again.recent).to.have.length(3);
  });

  it('do not count a suite run again that was recounted after its end', () => {
    const [suite] = runs({ kind: 'suite' });
    const record = counted([suite!]);
    expect(addToTarget(record, [{ ...suite!, modified: at(90) }], at(90))).to.equal(undefined);
  });

  it('have no duration for a run that never started, and no median without durations', () => {
    const [run] = runs({ status: 'error' });
    delete run!.startedAt;
    const record = counted([run!]);
    expect(record.recent[0]!.durationMs).to.equal(0);
    expect(medianOf(record.recent)).to.equal(undefined);
  });

  describe('changes of verdict', () => {
    const flips = (...some: Partial<EndedRun>[]) =>
      counted(runs(...some)).flips.reduce((sum, { count }) => sum + count, 0);

    it('are counted on the same revision', () => {
      expect(flips({}, { status: 'failed' }, { status: 'failed' }, {})).to.equal(2);
    });

    it('are not counted when the test was changed in between', () => {
      expect(flips({}, { status: 'failed', targetRevision: 2 })).to.equal(0);
    });

    it('are not counted for errors, which are not results of the test', () => {
      expect(flips({}, { status: 'error' }, {})).to.equal(0);
      expect(flips({}, { status: 'error' }, { status: 'failed' })).to.equal(1);
    });

    it('are counted within a run that passed after a failed attempt', () => {
      const attempts = [{ verdict: { status: 'failed' as const } }, { verdict: { status: 'passed' as const } }];
      expect(flips({ attempts })).to.equal(1);
    });

    it('are kept by day', () => {
      const record = counted(runs({}, { status: 'failed' }, { endedAt: at(24 * 3600) }));
      expect(record.flips).to.deep.equal([
        { day: '2026-08-02', count: 1 },
        { day: '2026-08-03', count: 1 },
      ]);
      expect(record.lastFlipAt).to.deep.equal(at(24 * 3600));
    });
  });
});
