/*
 * The overhead of the product over Temporal for triggers, and what it saves its callers. Alternating in one run, at 1,
 * 16 and 64 callers, without workers: raw `client.workflow.start` against
 *   (a) POSTs accepted (each commits a record; its workflow starts after the response),
 *   (b) the rate at which the backlog of accepted runs is started,
 *   (c) the delay from the response to the start at 5 POSTs/s.
 * Prints a table and one line of JSON: medians of the rounds.
 */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { randomId } from '#src/domain/ids.js';
import { createInstallationStore } from '#src/db/instance/installation-store.js';
import type { TestDefinition } from '#src/domain/targets/definitions.js';
import { openTemporal } from '#src/temporal/connect.js';
import { startRun } from '#src/temporal/start-run.js';
import { eventually } from '#test/support/eventually.js';
import { startStack, webhookUrl } from '#test/support/stack.js';
import { NO_LIMITS } from './no-limits.js';
import { median, measure, quantile, type Load } from './measure.js';

const ROUNDS = 5;
const CALLERS = [1, 16, 64];
const RAW_STARTS: Record<number, number> = { 1: 60, 16: 240, 64: 384 };
const POSTS: Record<number, number> = { 1: 200, 16: 1600, 64: 2560 };
const PACED_POSTS = 50;
const PACE_MS = 200;
/** A smaller backlog is drained before its rate can be measured. */
const SMALLEST_BACKLOG = 200;

const stack = await startStack({ start: false, serverEnv: { RUNHOOK_LOG_LEVEL: 'info', ...NO_LIMITS } });
await stack.server.start();
const project = await stack.importText('project: Bench\ntests:\n  - { name: T, command: ["true"], pool: unserved }\n');
const url = new URL(webhookUrl(stack, project, 'tests', 'T'));
const pool = new Pool(url.origin, { connections: Math.max(...CALLERS) });
process.env.TEMPORAL_ADDRESS = stack.temporalAddress;
const installationId = (await createInstallationStore(stack.collections).find()).id;
const temporal = { ...openTemporal(), installationId, hasLegacyNames: false };
const definition = (await stack.collections.tests.findOne({ _id: project.tests.T! }))!.definition as TestDefinition;

/** The same start as the product's, with a run of its own. */
const rawStart = () =>
  startRun(temporal, {
    _id: randomId(),
    kind: 'test',
    projectId: project.projectId,
    targetId: project.tests.T!,
    targetName: 'T',
    triggeredBy: { type: 'webhook' },
    definition,
  });

async function post(): Promise<{ id: string }> {
  const { statusCode, body } = await pool.request({ method: 'POST', path: url.pathname });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode}: ${text}`);
  return JSON.parse(text) as { id: string };
}

const pendingStarts = () => stack.collections.runs.countDocuments({ 'dispatch.after': { $exists: true } });

/** @returns starts per second while the backlog is drained; undefined for a backlog that is too small */
async function drain(): Promise<number | undefined> {
  const backlog = await pendingStarts();
  const began = performance.now();
  await eventually(async () => {
    await sleep(250);
    return (await pendingStarts()) === 0 || undefined;
  }, 120_000);
  return backlog < SMALLEST_BACKLOG ? undefined : backlog / ((performance.now() - began) / 1000);
}

/** Milliseconds from the response of a POST to the start of its workflow, at a steady pace. */
async function startDelays(): Promise<number[]> {
  const answered = new Map<string, number>();
  for (let n = 0; n < PACED_POSTS; n++) {
    const next = sleep(PACE_MS);
    const { id } = await post();
    answered.set(id, Date.now());
    await next;
  }
  await drain();
  const delays = [...answered].map(async ([id, at]) => {
    const { startTime } = await stack.temporal.workflow.getHandle(id).describe();
    return startTime.getTime() - at;
  });
  return Promise.all(delays);
}

interface Round {
  raw: Load;
  posts: Load;
  drainedPerSecond: number | undefined;
}

const rounds = new Map<number, Round[]>(CALLERS.map((callers) => [callers, []]));
await measure(16, 800, post);
await drain();
await measure(16, 100, rawStart);
for (let round = 0; round < ROUNDS; round++) {
  for (const callers of CALLERS) {
    const raw = await measure(callers, RAW_STARTS[callers]!, rawStart);
    const posts = await measure(callers, POSTS[callers]!, post);
    rounds.get(callers)!.push({ raw, posts, drainedPerSecond: await drain() });
  }
}
const delays = await startDelays();

const summary = CALLERS.map((callers) => {
  const all = rounds.get(callers)!;
  const of = (pick: (round: Round) => number | undefined) =>
    median(all.map(pick).filter((value) => value !== undefined));
  return {
    callers,
    rawPerSecond: of(({ raw }) => raw.perSecond),
    rawP50: of(({ raw }) => raw.p50),
    rawP99: of(({ raw }) => raw.p99),
    acceptedPerSecond: of(({ posts }) => posts.perSecond),
    acceptedP50: of(({ posts }) => posts.p50),
    acceptedP99: of(({ posts }) => posts.p99),
    acceptedToRaw: of(({ raw, posts }) => posts.perSecond / raw.perSecond),
    p99ToRaw: of(({ raw, posts }) => posts.p99 / raw.p99),
    drainedPerSecond: of(({ drainedPerSecond }) => drainedPerSecond),
    drainedToRaw: of(({ raw, drainedPerSecond }) => drainedPerSecond && drainedPerSecond / raw.perSecond),
  };
});
const startDelay = { postsPerSecond: 1000 / PACE_MS, p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) };

const digits = (value: number | undefined, count: number) => (value === undefined ? '–' : value.toFixed(count));
console.table(
  Object.fromEntries(
    summary.map((row) => [
      `${row.callers} callers`,
      {
        'raw starts/s': digits(row.rawPerSecond, 0),
        'accepted/s': digits(row.acceptedPerSecond, 0),
        ratio: digits(row.acceptedToRaw, 1),
        'raw p50 ms': digits(row.rawP50, 1),
        'raw p99 ms': digits(row.rawP99, 1),
        'accepted p50 ms': digits(row.acceptedP50, 1),
        'accepted p99 ms': digits(row.acceptedP99, 1),
        'p99 ratio': digits(row.p99ToRaw, 2),
        'backlog/s': digits(row.drainedPerSecond, 0),
        'backlog ratio': digits(row.drainedToRaw, 2),
      },
    ]),
  ),
);
console.log(
  `From answer to start at ${startDelay.postsPerSecond} POSTs/s: p50 ${startDelay.p50} ms, p99 ${startDelay.p99} ms`,
);
console.log(
  JSON.stringify({
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    node: process.version,
    rounds: ROUNDS,
    summary,
    startDelay,
  }),
);
await pool.close();
await temporal.connection.close();
await stack.stop();
process.exit(0);
