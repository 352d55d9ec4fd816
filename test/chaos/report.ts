import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '#src/domain/runs/run.js';
import { seconds } from './campaign.js';
import type { Outcome } from './chaos.js';
import type { Evidence, Violation } from './evidence.js';
import { isExcused } from './invariants/answers.js';
import { show } from './invariants/histories.js';
import type { PlanOptions } from './plan.js';

const SHOWN = 20;

/** The command that injects the same faults again. */
export function repeatCommand({ seed, faults, minutes }: PlanOptions): string {
  return `npm run chaos -- --seed ${seed} --faults ${faults} --minutes ${minutes}`;
}

/** The complete report: faults, load, and each violation with its evidence. */
export function reportOf(options: PlanOptions, outcome: Outcome): string {
  const { violations, evidence } = outcome;
  const lines = [`Seed ${options.seed}: ${options.faults} faults`, ...timeLine(evidence), '', ...summary(outcome)];
  if (violations.length === 0) return [...lines, 'No violation'].join('\n');
  return [
    ...lines,
    `${violations.length} violations`,
    ...violations.slice(0, SHOWN).flatMap((violation) => describe(violation, evidence)),
    ...(violations.length > SHOWN ? [`… and ${violations.length - SHOWN} more, in violations.json`] : []),
    '',
    `Logs, data and all evidence: ${outcome.folder}`,
    `Again: ${repeatCommand(options)}`,
  ].join('\n');
}

/** Written next to the logs for the analysis. */
export function writeEvidence({ violations, evidence, folder }: Outcome): void {
  const files = { violations, evidence: { ...evidence, histories: Object.fromEntries(evidence.histories) } };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content, undefined, 1));
}

function timeLine({ faults }: Evidence): string[] {
  return [...faults]
    .sort((one, other) => (one.firedAtMs ?? Infinity) - (other.firedAtMs ?? Infinity))
    .map(({ fault, firedAtMs, healedAtMs, detail, problem }) => {
      const times = `planned ${seconds(fault.atMs)}  fired ${seconds(firedAtMs)}  healed ${seconds(healedAtMs)}`;
      const what = `${fault.kind} ${fault.target}${detail ? ` (${detail})` : ''}`;
      return `  #${String(fault.number).padEnd(3)} ${times}  ${what}${problem ? `: ${problem}` : ''}`;
    });
}

function summary({ evidence, settledMs }: Outcome): string[] {
  const attempts = evidence.calls.flatMap((call) => call.attempts);
  const count = (list: unknown[], what: string) => `${list.length} ${what}`;
  const answered = (status: number) => attempts.filter((attempt) => attempt.status === status);
  const slowest = Math.max(0, ...attempts.filter((attempt) => !isExcused(attempt, evidence)).map(({ ms }) => ms));
  return [
    `Load: ${[
      count(evidence.calls, 'calls'),
      count(attempts, 'POSTs'),
      count(answered(200), '× 200'),
      count(answered(503), '× 503'),
      count(
        attempts.filter(({ error }) => error),
        'lost',
      ),
    ].join(', ')}; the slowest answer of a server that ran took ${Math.round(slowest)} ms`,
    `Runs: ${byStatus(evidence)}; workflows: ${evidence.workflows.length}; at rest ${seconds(settledMs).trim()} after the load`,
    `The longest: ${longest(evidence)}`,
  ];
}

/** The run that took longest from its trigger to its end. */
function longest({ runs }: Evidence): string {
  const tookMs = ({ queuedAt, endedAt = queuedAt }: Run) => endedAt.getTime() - queuedAt.getTime();
  const run = [...runs].sort((one, other) => tookMs(other) - tookMs(one))[0];
  return run ? `${run.targetName} (run ${run._id}), ${seconds(tookMs(run)).trim()}` : 'none';
}

function byStatus({ runs }: Evidence): string {
  const counts = new Map<string, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  return `${runs.length} (${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')})`;
}

function describe({ rule, detail, runId }: Violation, evidence: Evidence): string[] {
  const lines = [`- ${rule}: ${detail}`];
  if (!runId) return lines;
  const { definition: _, ...run } = evidence.runs.find(({ _id }) => _id === runId) ?? { definition: undefined };
  const workflows = evidence.workflows.filter(({ workflowId }) => workflowId === runId);
  const attempts = evidence.calls.flatMap((call) => call.attempts).filter(({ id }) => id === runId);
  return [
    ...lines,
    `    run       ${runId}`,
    `    record    ${JSON.stringify(run)}`,
    `    seen      ${show(evidence.histories.get(runId) ?? []) || 'never'}`,
    `    workflow  ${workflows.map(({ status, runId: execution }) => `${status} ${execution}`).join(', ') || 'none'}`,
    `    answered  ${attempts.map(({ server, at, status }) => `${status} by ${server} at ${new Date(at).toISOString()}`).join(', ') || 'never'}`,
  ];
}
