/*
 * How long one project's run waits while another project floods the queue: 2,000 runs of a test of 100 ms at 2 slots,
 * and a run of the other project every two seconds during the flood; with fairness among projects and without
 * (Temporal's `matching.enableFairness`). `--runs N` sets a smaller flood. Prints a table and one line of JSON.
 */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '#src/domain/runs/run-status.js';
import { eventually } from '#test/support/eventually.js';
import { flood } from '#test/support/servers/flood.js';
import { startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';
import { benchOptions } from './options.js';
import { quantile } from './measure.js';

const { runs: FLOOD } = benchOptions({ runs: 2000 });
const SLOTS = 2;
const SAMPLES = 5;
const BETWEEN_SAMPLES_MS = 2000;
const WELL_UNDER_WAY = 50;
const LONGEST_MS = 30 * 60_000;

interface Waits {
  /** Median duration of a test of the flood, in ms. */
  testMs: number;
  /** Runs of the flood that had not started when the other project's first one was triggered. */
  backlog: number;
  /** From the acceptance of each of the other project's runs to its start, in ms. */
  waitsMs: number[];
  /** Tests of the flood that started meanwhile, for each: a slot needs more time than the test itself. */
  overtakenBy: number[];
}

const project = (name: string, command: string) => `project: ${name}\ntests:\n  - { name: T, command: [${command}] }\n`;

async function startedAt(stack: TestStack, id: string): Promise<Date> {
  return eventually(async () => (await stack.collections.runs.findOne({ _id: id }))?.startedAt, LONGEST_MS);
}

async function measureWaits(fair: boolean): Promise<Waits> {
  const stack = await startStack({
    workerEnv: { RUNHOOK_SLOTS: String(SLOTS) },
    dynamicConfig: { 'matching.enableFairness': String(fair) },
  });
  const { runs } = stack.collections;
  const flooding = await stack.importText(project('Flood', 'sleep, "0.1"'));
  const other = await stack.importText(project('Other', '"true"'));
  const ended = () => runs.countDocuments({ projectId: flooding.projectId, endedAt: { $exists: true } });

  await flood(webhookUrl(stack, flooding, 'tests', 'T'), FLOOD);
  await eventually(async () => (await ended()) >= WELL_UNDER_WAY || undefined, LONGEST_MS);
  const backlog = await runs.countDocuments({ projectId: flooding.projectId, status: 'queued' });
  const waits: Promise<number>[] = [];
  const samples: { id: string }[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const acceptedAt = Date.now();
    const { id } = await trigger(webhookUrl(stack, other, 'tests', 'T'));
    samples.push({ id });
    waits.push(startedAt(stack, id).then((started) => started.getTime() - acceptedAt));
    await sleep(BETWEEN_SAMPLES_MS);
  }
  const waitsMs = await Promise.all(waits);
  const overtakenBy = await Promise.all(
    samples.map(async ({ id }) => {
      const { queuedAt, startedAt } = (await runs.findOne({ _id: id }))!;
      return runs.countDocuments({ projectId: flooding.projectId, startedAt: { $gt: queuedAt, $lt: startedAt! } });
    }),
  );
  const over = await runs.find({ projectId: flooding.projectId, status: 'passed' }).limit(1000).toArray();
  const times = over
    .filter(({ status }) => isTerminal(status))
    .map((run) => run.endedAt!.getTime() - run.startedAt!.getTime());
  await stack.stop();
  return { testMs: quantile(times, 0.5), backlog, waitsMs, overtakenBy };
}

const on = await measureWaits(true);
const off = await measureWaits(false);
const row = ({ testMs, backlog, waitsMs, overtakenBy }: Waits) => ({
  'a test, ms': testMs,
  backlog,
  'median wait, ms': quantile(waitsMs, 0.5),
  'longest wait, ms': Math.max(...waitsMs),
  'begun meanwhile': overtakenBy.join(', '),
});
console.table({ 'fairness on': row(on), 'fairness off': row(off) });
console.log(
  JSON.stringify({
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    node: process.version,
    flood: FLOOD,
    slots: SLOTS,
    on,
    off,
  }),
);
process.exit(0);
