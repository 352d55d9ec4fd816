/*
 * Whether open runs slow triggers down: POSTs at a steady pace without other load, and again while 10,000 runs are
 * open: accepted, started, and waiting for a pool without workers. Metrics are scraped meanwhile, as in production.
 * `--runs N` opens fewer. Prints a table and one line of JSON.
 */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '#test/support/eventually.js';
import { flood } from '#test/support/servers/flood.js';
import { startStack, trigger, webhookUrl } from '#test/support/stack.js';
import { NO_LIMITS } from './no-limits.js';
import { benchOptions } from './options.js';
import { quantile } from './measure.js';

const { runs: OPEN } = benchOptions({ runs: 10_000 });
const PACE_MS = 50;
const POSTS = 600;
const SCRAPE_MS = 5000;
const LONGEST_MS = 30 * 60_000;

const stack = await startStack({ serverEnv: NO_LIMITS, workerEnv: { RUNHOOK_POOLS: 'none' } });
const { runs } = stack.collections;
const project = await stack.importText('project: Bench\ntests:\n  - { name: T, command: ["true"], pool: unserved }\n');
const url = webhookUrl(stack, project, 'tests', 'T');

/** At a steady pace, independent of response times. @returns ms from POST to response, for each */
async function pacedPosts(): Promise<number[]> {
  const answers: Promise<number>[] = [];
  const began = performance.now();
  for (let post = 0; post < POSTS; post++) {
    await sleep(Math.max(0, began + post * PACE_MS - performance.now()));
    const sentAt = performance.now();
    answers.push(trigger(url).then(() => performance.now() - sentAt));
  }
  return Promise.all(answers);
}

/** Waits until all accepted runs have a workflow that waits for its worker. */
async function settled(): Promise<void> {
  await eventually(async () => {
    await sleep(500);
    if ((await runs.countDocuments({ dispatch: { $exists: true } })) > 0) return undefined;
    const { stats } = await stack.temporal.workflowService.describeTaskQueue({
      namespace: 'default',
      taskQueue: { name: 'runhook' },
      taskQueueType: 1,
      reportStats: true,
    });
    return Number(stats?.approximateBacklogCount ?? 0) === 0 || undefined;
  }, LONGEST_MS);
}

const scrape = setInterval(
  () =>
    void fetch(`${stack.opsUrl}/metrics`).then(
      (answer) => answer.text(),
      () => {},
    ),
  SCRAPE_MS,
);

await pacedPosts();
await settled();
const before = await pacedPosts();
await flood(url, OPEN - (await runs.countDocuments({ status: 'queued' })));
await settled();
const open = await runs.countDocuments({ status: 'queued' });
const during = await pacedPosts();
clearInterval(scrape);

const facts = (times: number[]) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });
const summary = { before: facts(before), during: facts(during) };
const row = ({ p50, p99 }: ReturnType<typeof facts>) => ({ 'p50 ms': p50.toFixed(1), 'p99 ms': p99.toFixed(1) });
console.table({ before: row(summary.before), [`with ${open} open runs`]: row(summary.during) });
console.log(
  JSON.stringify({
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    node: process.version,
    postsPerSecond: 1000 / PACE_MS,
    open,
    ...summary,
  }),
);
await stack.stop();
process.exit(0);
