/*
 * The overhead of the product over Temporal for suites. Alternating in one run: a suite of 1,000 `true` commands at
 * parallelism 50 through the whole product, from the POST to the end of its workflow, against raw `executeChild` of
 * 1,000 empty children in a window of 50, each with one activity that does nothing, on a separate worker process
 * with the same settings. `--large` also runs a suite of 10,000, `--rounds N` sets the number of rounds (3). Prints a
 * table and one line of JSON. On a shared machine, CPU time is more reliable than elapsed time.
 */
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { randomId } from '#src/domain/ids.js';
import { eventually } from '#test/support/eventually.js';
import { nodeProcess } from '#test/support/processes/node-process.js';
import { endedRun, startStack, trigger, webhookUrl } from '#test/support/stack.js';
import { benchOptions } from './options.js';
import { cpuSince } from './cpu-time.js';
import { chainFacts } from './histories.js';
import { median } from './measure.js';
import { peakMemory, resetPeakMemory } from './memory.js';
import type { rawSuite } from './raw-suite/workflows.js';

const PARALLELISM = 50;
/** High enough on both sides that the window is the limit. */
const SLOTS = 50;
const TESTS = 1000;
const LARGE = 10_000;
const WARM_UP = 400;
const RAW_QUEUE = 'raw';
const RAW_ACTIVITY_QUEUE = 'raw-runner';

const { large: withLarge, rounds: ROUNDS } = benchOptions({ large: false, rounds: 3 });

const stack = await startStack({
  workerEnv: { RUNHOOK_SLOTS: String(SLOTS), RUNHOOK_LOG_LEVEL: 'warn' },
  start: false,
});
await Promise.all([stack.server.start(), stack.worker.start({ RUNHOOK_LOG_LEVEL: 'info' })]);
const rawWorker = nodeProcess(fileURLToPath(new URL('raw-suite/worker.ts', import.meta.url)), '"raw worker ready"', {
  NODE_OPTIONS: '--import=tsx',
  TEMPORAL_ADDRESS: stack.temporalAddress,
  RAW_SLOTS: String(SLOTS),
  RAW_WORKFLOW_QUEUE: RAW_QUEUE,
  RAW_ACTIVITY_QUEUE,
});
await rawWorker.start();

/** CPU seconds of each process; test processes count for the worker. */
const cpu = () =>
  cpuSince({
    temporal: stack.pids().temporal,
    mongodb: stack.pids().mongodb,
    server: stack.server.pid,
    worker: stack.worker.pid,
    raw: rawWorker.pid,
  });

interface Times {
  seconds: number;
  cpu: ReturnType<ReturnType<typeof cpu>>;
}

interface SuiteFacts extends Times {
  expandMs: number | undefined;
  workflowRuns: number;
  longestHistory: number;
  largestPayload: number;
  /** Peaks, in MiB. */
  serverMiB: number;
  workerMiB: number;
}

/** Imports a suite of `total` tests. @returns the URL that triggers it */
async function importSuite(total: number): Promise<string> {
  const names = Array.from({ length: total }, (_, number) => `T${number}`);
  const tests = names.map((name) => `  - { name: ${name}, command: ["true"] }`);
  const suite = `  - { name: All, parallelism: ${PARALLELISM}, tests: [${names.join(', ')}] }`;
  const project = await stack.importText([`project: Bench ${total}`, 'tests:', ...tests, 'suites:', suite].join('\n'));
  return webhookUrl(stack, project, 'suites', 'All');
}

/** Runs a suite from its POST to the end of its workflow. @throws Error unless all its tests passed, once each */
async function runSuite(url: string, total: number): Promise<SuiteFacts> {
  const pids = [stack.server.pid, stack.worker.pid] as const;
  pids.forEach(resetPeakMemory);
  const used = cpu();
  const began = performance.now();
  const { id } = await trigger(url);
  // Temporal reports the end immediately; polling the database would add load.
  await eventually(() => stack.temporal.workflow.getHandle(id).describe());
  await stack.temporal.workflow.getHandle(id).result();
  const times = { seconds: (performance.now() - began) / 1000, cpu: used() };
  const { status, counts } = await endedRun(stack, id);
  const recorded = await stack.collections.runs.distinct('position', { suiteRunId: id, status: 'passed' });
  if (status !== 'passed' || counts?.passed !== total || recorded.length !== total)
    throw new Error(`The suite is ${status} with ${recorded.length} of ${total} passed: ${JSON.stringify(counts)}`);
  const facts = await chainFacts(stack.temporal, id);
  return {
    ...times,
    expandMs: facts.activityMs('expandSuite'),
    workflowRuns: facts.runs,
    longestHistory: facts.longestHistory,
    largestPayload: facts.largestPayload,
    serverMiB: peakMemory(pids[0]),
    workerMiB: peakMemory(pids[1]),
  };
}

async function runRaw(total: number): Promise<Times> {
  const used = cpu();
  const began = performance.now();
  await stack.temporal.workflow.execute<typeof rawSuite>('rawSuite', {
    workflowId: randomId(),
    taskQueue: RAW_QUEUE,
    args: [total, PARALLELISM, RAW_ACTIVITY_QUEUE],
  });
  return { seconds: (performance.now() - began) / 1000, cpu: used() };
}

const smallUrl = await importSuite(TESTS);
// Warms both workers up.
const warmUp = await importSuite(WARM_UP);
await runRaw(WARM_UP);
await runSuite(warmUp, WARM_UP);

const rounds: { raw: Times; ours: SuiteFacts }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const raw = await runRaw(TESTS);
  const ours = await runSuite(smallUrl, TESTS);
  rounds.push({ raw, ours });
  console.log(`round ${round + 1}: raw ${raw.seconds.toFixed(1)} s, ours ${ours.seconds.toFixed(1)} s`);
}
const large = withLarge ? await runSuite(await importSuite(LARGE), LARGE) : undefined;

const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))!;
const rawSeconds = of(({ raw }) => raw.seconds);
const ratio = of(({ raw, ours }) => ours.seconds / raw.seconds);
const totalCpu = (times: Times) => Object.values(times.cpu).reduce((sum, seconds) => sum + seconds);
const cpuRatio = of(({ raw, ours }) => totalCpu(ours) / totalCpu(raw));
const cpuMs = (times: Times, total: number) => ((totalCpu(times) / total) * 1000).toFixed(0);
const small: SuiteFacts = {
  ...rounds[0]!.ours,
  seconds: of(({ ours }) => ours.seconds),
  expandMs: of(({ ours }) => ours.expandMs ?? NaN),
  serverMiB: of(({ ours }) => ours.serverMiB),
  workerMiB: of(({ ours }) => ours.workerMiB),
};

const row = (facts: SuiteFacts, total: number) => ({
  seconds: facts.seconds.toFixed(1),
  'tests/s': (total / facts.seconds).toFixed(1),
  'CPU ms a test': cpuMs(facts, total),
  'expand ms': facts.expandMs?.toFixed(0),
  'workflow runs': facts.workflowRuns,
  'longest history': facts.longestHistory,
  'largest payload': facts.largestPayload,
  'server MiB': facts.serverMiB.toFixed(0),
  'worker MiB': facts.workerMiB.toFixed(0),
});
console.table({
  [`raw, ${TESTS}`]: {
    seconds: rawSeconds.toFixed(1),
    'tests/s': (TESTS / rawSeconds).toFixed(1),
    'CPU ms a test': cpuMs(rounds[0]!.raw, TESTS),
  },
  [`suite of ${TESTS}`]: row(small, TESTS),
  ...(large && { [`suite of ${LARGE}`]: row(large, LARGE) }),
});
console.log(
  `Ours to raw, ${TESTS} tests at parallelism ${PARALLELISM}: ${ratio.toFixed(2)} in time, ${cpuRatio.toFixed(2)} in CPU time (medians of ${ROUNDS} rounds)`,
);
console.log(
  JSON.stringify({
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    node: process.version,
    parallelism: PARALLELISM,
    slots: SLOTS,
    rounds: rounds.map(({ raw, ours }) => ({ raw, ours, ratio: ours.seconds / raw.seconds })),
    ratio,
    cpuRatio,
    rawSeconds,
    small,
    large,
  }),
);
await rawWorker.kill('SIGTERM');
await stack.stop();
process.exit(0);
