import { expect } from 'chai';
import type { TestRun } from '#src/domain/runs/run.js';
import { anAttempt, evidence } from '#test/builders/chaos-evidence.js';
import type { Evidence } from './evidence.js';
import { checkInvariants } from './invariants/index.js';

const runOf = (all: Evidence, name: string) => all.runs.find(({ targetName }) => targetName === name)!;
const historyOf = (all: Evidence, name: string) => all.histories.get(runOf(all, name)._id)!;
const remove = <T>(list: T[], one: T) => list.splice(list.indexOf(one), 1);

/** Each violates one invariant and must be reported by its rule. */
const broken: [rule: string, how: string, spoil: (all: Evidence) => void][] = [
  ['every planned fault fires and is healed', 'one never fired', (all) => delete all.faults[0]!.firedAtMs],
  ['every planned fault fires and is healed', 'one could not heal', (all) => (all.faults[0]!.problem = 'no')],
  ['an answer is 200 or 503', '500', (all) => (all.calls[0]!.attempts[0]!.status = 500)],
  [
    'an answer is 200 or 503',
    '404 during an outage',
    (all) => all.calls[0]!.attempts.push(anAttempt({ server: 'server-2', status: 404 })),
  ],
  ['an answer comes within 6 s', '6.1 s', (all) => (all.calls[0]!.attempts[0]!.ms = 6100)],
  [
    'a server that runs answers',
    'a reset',
    (all) => all.calls[0]!.attempts.unshift({ server: 'server-1', at: 0, ms: 1, error: 'ECONNRESET' }),
  ],
  ['every caller gets a 200 in the end', 'only 503', (all) => void all.calls[0]!.attempts.pop()],
  ['one id a key', 'two ids', (all) => all.calls[0]!.attempts.push(anAttempt({ id: 'another' }))],
  [
    'one run a call',
    'an id twice',
    (all) => all.calls[0]!.attempts.splice(0, 2, anAttempt({ id: all.calls[1]!.attempts[1]!.id! })),
  ],
  ['every 200 has its record', 'none', (all) => remove(all.runs, runOf(all, 'Flaky'))],
  ['every 200 has its record', 'of another test', (all) => (runOf(all, 'Flaky').targetId = 'id of Hangs')],
  ['every run ends', 'stuck', (all) => (runOf(all, 'Flaky').status = 'running')],
  ['a fault changes no verdict', 'a test', (all) => (runOf(all, 'Flaky').status = 'error')],
  ['a fault changes no verdict', 'a suite', (all) => (runOf(all, 'Goes on').status = 'error')],
  ['a fault changes no verdict', 'of a suite', (all) => (runOf(all, 'of Goes on').status = 'error')],
  ['a fault changes no verdict', 'the code', (all) => (runOf(all, 'Hangs').errorCode = 'WORKER_LOST')],
  [
    'a fault changes no verdict',
    'an attempt more',
    (all) => (runOf(all, 'Flaky') as TestRun).attempts.push((runOf(all, 'Flaky') as TestRun).attempts[1]!),
  ],
  ["a suite's counts agree with its tests", 'a test less', (all) => remove(all.runs, runOf(all, 'of Goes on'))],
  [
    "a suite's counts agree with its tests",
    'a count',
    (all) => ((runOf(all, 'Stops') as { counts?: { passed: number } }).counts!.passed = 3),
  ],
  [
    'a suite that queues runs once at a time',
    'two at once',
    (all) => (runOf(all, 'One at a time').endedAt = new Date(runOf(all, 'One at a time').endedAt!.getTime() + 5000)),
  ],
  ['no record vanishes', 'it was seen', (all) => remove(all.runs, runOf(all, 'Hangs'))],
  ['no status goes back', 'to queued', (all) => historyOf(all, 'Flaky').unshift({ ...historyOf(all, 'Flaky')[1]! })],
  ['an end is final', 'another end', (all) => (historyOf(all, 'Flaky')[1]!.status = 'failed')],
  ['modified and seq only grow', 'back by a ms', (all) => historyOf(all, 'Flaky')[1]!.modified++],
  ['modified and seq only grow', 'seq', (all) => historyOf(all, 'Flaky')[1]!.seq++],
  [
    'modified grows with every change',
    'the same',
    (all) => (historyOf(all, 'Flaky')[0]!.modified = historyOf(all, 'Flaky')[1]!.modified),
  ],
  ['one workflow a run, and it is closed', 'none', (all) => void all.workflows.shift()],
  ['one workflow a run, and it is closed', 'open', (all) => (all.workflows[0]!.status = 'RUNNING')],
  [
    'one workflow a run, and it is closed',
    'two',
    (all) => all.workflows.push({ ...all.workflows[0]!, runId: 'other' }),
  ],
  [
    'one workflow a run, and it is closed',
    'of no run',
    (all) => all.workflows.push({ ...all.workflows[0]!, workflowId: 'other' }),
  ],
  ['no process is left behind', 'one', (all) => all.leftovers.push(4711)],
  ['nothing ends by itself', 'a worker', (all) => all.crashes.push('worker-1 ended by itself: exit code 1')],
];

describe('invariants', () => {
  it('report nothing if all hold', () => {
    expect(checkInvariants(evidence())).to.deep.equal([]);
  });

  it('accept a chain of executions as one workflow', () => {
    const all = evidence();
    all.workflows.push({ ...all.workflows[0]!, runId: 'earlier', status: 'CONTINUED_AS_NEW' });
    expect(checkInvariants(all)).to.deep.equal([]);
  });

  it('accept another execution for each later pass of a suite', () => {
    const all = evidence();
    const [again] = all.runs.filter(({ targetName }) => targetName === 'of Second pass');
    all.workflows.push({ workflowId: again!._id, runId: 'second', status: 'COMPLETED' });
    expect(checkInvariants(all)).to.deep.equal([]);
    all.workflows.push({ workflowId: again!._id, runId: 'third', status: 'COMPLETED' });
    expect(checkInvariants(all)).to.have.length(1);
  });

  it('tolerate lost and late responses of a server that was down', () => {
    const all = evidence();
    const during = { server: 'server-2', at: all.outages[0]!.from + 900 };
    all.calls[0]!.attempts.unshift(
      { ...during, ms: 1, error: 'ECONNREFUSED' },
      anAttempt({ ...during, ms: 7000, status: 503 }),
    );
    expect(checkInvariants(all)).to.deep.equal([]);
  });

  for (const [rule, how, spoil] of broken)
    it(`report: ${rule} (${how})`, () => {
      const all = evidence();
      spoil(all);
      expect(checkInvariants(all).map((violation) => violation.rule)).to.include(rule);
    });
});
