import type { TestRun } from '#src/domain/runs/run.js';
import { isTerminal } from '#src/domain/runs/run-status.js';
import type { Evidence, Violation } from '#test/chaos/evidence.js';
import { knownSuiteRun, knownTestRun, type KnownTestRun } from '#test/chaos/load/known-runs.js';

/** Every 200 has its record, with the requested target. */
export function checkAccepted({ calls, runs, project }: Evidence): Violation[] {
  const byId = new Map(runs.map((run) => [run._id, run]));
  return calls.flatMap((call) =>
    call.attempts.flatMap(({ id }): Violation[] => {
      if (id === undefined) return [];
      const run = byId.get(id);
      if (!run) return [{ rule: 'every 200 has its record', detail: `${call.name}: there is none`, runId: id }];
      const expected = project[call.kind][call.name];
      return run.targetId === expected
        ? []
        : [{ rule: 'every 200 has its record', detail: `${call.name}: it is of ${run.targetName}`, runId: id }];
    }),
  );
}

/** No run is stuck, whether its caller got a response or not. */
export function checkTerminal({ runs }: Evidence): Violation[] {
  return runs
    .filter(({ status }) => !isTerminal(status))
    .map(({ _id, targetName, status, dispatch }) => ({
      rule: 'every run ends',
      detail: `${targetName} is ${status}${dispatch ? `, its start pending since ${dispatch.after.toISOString()}` : ''}`,
      runId: _id,
    }));
}

/** Every run ended with the verdict of its test, with each attempt recorded once. */
export function checkVerdicts({ runs }: Evidence): Violation[] {
  const suites = new Map(runs.filter(({ kind }) => kind === 'suite').map((run) => [run._id, run.targetName]));
  return runs.flatMap((run): Violation[] => {
    if (run.kind === 'suite') {
      const expected = knownSuiteRun(run.targetName)!.status;
      return run.status === expected || !isTerminal(run.status)
        ? []
        : [wrong(run, `${run.status}${why(run)} instead of ${expected}`)];
    }
    const suite = run.suiteRunId && suites.get(run.suiteRunId);
    const known = suite ? knownSuiteRun(suite)?.tests[run.position!] : knownTestRun(run.targetName);
    return known && isTerminal(run.status) ? compare(run, known) : [];
  });
}

function compare(run: TestRun, known: KnownTestRun): Violation[] {
  if (run.status !== known.status || run.errorCode !== known.errorCode)
    return [wrong(run, `${run.status}${why(run)} instead of ${known.status}${why(known)}`)];
  const made = run.attempts.map(({ number, verdict }) => `${number} ${verdict?.status}`).join(', ');
  const expected = known.attempts.map((status, index) => `${index + 1} ${status}`).join(', ');
  return made === expected ? [] : [wrong(run, `attempts ${made || 'none'} instead of ${expected || 'none'}`)];
}

const why = ({ errorCode }: { errorCode?: string }) => (errorCode ? ` (${errorCode})` : '');

const wrong = (run: { _id: string; targetName: string }, what: string): Violation => ({
  rule: 'a fault changes no verdict',
  detail: `${run.targetName}: ${what}`,
  runId: run._id,
});
