/*
 * Long suites under difficult conditions, in the whole product:
 *   straggler  one test of 60 s before 2,000 short ones at parallelism 8: busy slots over time
 *   stop       a suite of 10,000 at parallelism 50, canceled in Temporal when 3,000 have ended: time until no
 *              process of it is running and all its records are over
 * Prints tables and one line of JSON. `npm run bench:long-suites -- straggler` runs one of them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TERMINAL_STATUSES, type StatusCounts } from '#src/domain/runs/run-status.js';
import { eventually } from '#test/support/eventually.js';
import { processesWith } from '#test/support/processes/process-marks.js';
import { endedRun, startStack, trigger, webhookUrl } from '#test/support/stack.js';
import { quantile } from './measure.js';

const MARK = `BENCH_LONG_SUITES=${process.pid}`;
const ENV = `env: { BENCH_LONG_SUITES: "${process.pid}" }`;
const LONGEST_MS = 20 * 60_000;

const stack = await startStack({ workerEnv: { RUNHOOK_SLOTS: '50' } });

async function start(tests: string[], names: string[], parallelism: number): Promise<string> {
  const suite = `  - { name: All, parallelism: ${parallelism}, tests: [${names.join(', ')}] }`;
  const project = await stack.importText([`project: ${names.length}`, 'tests:', ...tests, 'suites:', suite].join('\n'));
  return (await trigger(webhookUrl(stack, project, 'suites', 'All'))).id;
}

const progress = (id: string) => stack.temporal.workflow.getHandle(id).query<StatusCounts, []>('progress');
const counted = (counts: StatusCounts) => TERMINAL_STATUSES.reduce((sum, status) => sum + counts[status], 0);

/** Occupied slots of the window, sampled until no test waits. */
async function straggler() {
  const parallelism = 8;
  const tests = [
    `  - { name: Slow, command: [sleep, "60"], ${ENV} }`,
    `  - { name: Short, command: [sleep, "0.2"], ${ENV} }`,
  ];
  const id = await start(tests, ['Slow', ...Array.from({ length: 2000 }, () => 'Short')], parallelism);
  await eventually(async () => (await progress(id).catch(() => undefined))?.running || undefined, 30_000);
  const began = Date.now();
  const samples: { second: number; inWindow: number; processes: number; ended: number }[] = [];
  for (;;) {
    const counts = await progress(id);
    if (counts.queued === 0) break;
    samples.push({
      second: (Date.now() - began) / 1000,
      inWindow: counts.running,
      processes: processesWith(MARK).length,
      ended: counted(counts),
    });
    await sleep(250);
  }
  const { status, counts } = await endedRun(stack, id, LONGEST_MS);
  const perTenSeconds = new Map<number, typeof samples>();
  for (const sample of samples) {
    const from = Math.floor(sample.second / 10) * 10;
    perTenSeconds.set(from, [...(perTenSeconds.get(from) ?? []), sample]);
  }
  console.table(
    Object.fromEntries(
      [...perTenSeconds].map(([second, some]) => [
        `${second} s`,
        {
          'fewest in the window': Math.min(...some.map(({ inWindow }) => inWindow)),
          'median of processes': quantile(
            some.map(({ processes }) => processes),
            0.5,
          ),
          ended: some.at(-1)!.ended,
        },
      ]),
    ),
  );
  const fewest = Math.min(...samples.map(({ inWindow }) => inWindow));
  console.log(`Straggler: ${status}, at least ${fewest} of ${parallelism} slots taken until the last test had started`);
  return { status, counts, parallelism, fewest, samples: samples.length, seconds: samples.at(-1)?.second };
}

/** A stop in the middle of a suite of 10,000. */
async function stop() {
  const tests = [
    `  - { name: Long, command: [sleep, "600"], ${ENV} }`,
    `  - { name: Short, command: ["true"], ${ENV} }`,
  ];
  const names = Array.from({ length: 10_000 }, (_, position) => (position < 20 ? 'Long' : 'Short'));
  const id = await start(tests, names, 50);
  await eventually(async () => {
    await sleep(500);
    return counted(await progress(id).catch(() => ({}) as StatusCounts)) >= 3000 || undefined;
  }, LONGEST_MS);
  const began = Date.now();
  await stack.temporal.workflow.getHandle(id).cancel();
  await eventually(() => processesWith(MARK).length === 0 || undefined, 60_000);
  const noProcessMs = Date.now() - began;
  const { status, counts } = await endedRun(stack, id, LONGEST_MS);
  const overMs = Date.now() - began;
  const open = await stack.collections.runs.countDocuments({
    suiteRunId: id,
    status: { $nin: [...TERMINAL_STATUSES] },
  });
  console.log(
    `Stop: no process after ${noProcessMs} ms, all records over after ${overMs} ms: ${status}, open: ${open}`,
    counts,
  );
  return { status, counts, open, noProcessMs, overMs };
}

const cases = { straggler, stop };
const [named] = process.argv.slice(2);
const results: Record<string, unknown> = {};
for (const [name, run] of Object.entries(cases)) if (!named || named === name) results[name] = await run();
console.log(JSON.stringify(results));
await stack.stop();
process.exit(0);
