import { expect } from 'chai';
import { FAULT_KINDS, usedBy, type FaultName } from './faults/fault-kinds.js';
import { planFaults } from './plan.js';
import { STORES } from './system/topology.js';

const names = Object.keys(FAULT_KINDS) as FaultName[];

describe('planFaults', () => {
  it('is the same for the same seed, and different for others', () => {
    const plan = planFaults({ seed: 7, faults: 12, minutes: 3 });
    expect(planFaults({ seed: 7, faults: 12, minutes: 3 })).to.deep.equal(plan);
    expect(planFaults({ seed: 8, faults: 12, minutes: 3 })).to.not.deep.equal(plan);
  });

  it('draws every kind once before any is repeated', () => {
    const plan = planFaults({ seed: 1, faults: 2 * names.length, minutes: 10 });
    expect(plan.slice(0, names.length).map(({ kind }) => kind)).to.have.members(names);
    expect(plan.slice(names.length).map(({ kind }) => kind)).to.have.members(names);
  });

  it('draws times in order within the total time, and valid durations and targets', () => {
    for (let seed = 0; seed < 50; seed++) {
      const plan = planFaults({ seed, faults: 10, minutes: 2 });
      expect(plan.map(({ atMs }) => atMs)).to.deep.equal(plan.map(({ atMs }) => atMs).sort((a, b) => a - b));
      for (const { kind, target, atMs, lengthMs } of plan) {
        const [shortest, longest] = FAULT_KINDS[kind].lengthMs;
        expect(atMs).to.be.within(0, 120_000);
        expect(lengthMs).to.be.within(shortest, longest);
        expect(FAULT_KINDS[kind].targets).to.include(target);
      }
    }
  });

  it('draws slow kinds only for long runs', () => {
    const plan = planFaults({ seed: 1, faults: names.length, minutes: 0.5 });
    const kinds = plan.map(({ kind }) => kind);
    expect(kinds).to.not.include('freeze-worker');
    expect(kinds).to.not.include('kill-all-workers');
    expect(Math.max(...plan.map(({ lengthMs }) => lengthMs))).to.be.at.most(10_000);
  });
});

describe('usedBy', () => {
  it('claims the target, and for a fault point everything that leads to it', () => {
    expect(usedBy('kill-server', 'server-1')).to.deep.equal(['server-1', 'server-1']);
    expect(usedBy('kill-server-before-start', 'server-1')).to.include.members(['server-1', ...STORES]);
    expect(usedBy('deploy-workers', 'workers')).to.include.members(['worker-1', 'worker-2']);
  });

  it('claims a link with the program at its end', () => {
    expect(usedBy('cut-link', 'worker-1→mongodb')).to.deep.equal(['worker-1→mongodb', 'worker-1']);
    expect(usedBy('cut-link', 'caller→server-2')).to.deep.equal(['caller→server-2', 'server-2']);
  });
});
