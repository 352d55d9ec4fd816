/*
 * Whether a flood of bad tokens slows good ones down: triggers at a steady pace without other load, and next to bad
 * tokens (well-formed with a valid checksum, and malformed) at 32 connections from the same address, in alternating
 * rounds.
 * `--bad N` sends fewer in total, `--rounds N` in fewer rounds. Prints a table and one line of JSON: medians of the
 * rounds.
 */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newToken } from '#src/domain/tokens/token-format.js';
import { startStack, webhookUrl } from '#test/support/stack.js';
import { median, quantile } from './measure.js';
import { NO_LIMITS } from './no-limits.js';
import { benchOptions } from './options.js';

const { bad: BAD, rounds: ROUNDS } = benchOptions({ bad: 5000, rounds: 10 });
const CONNECTIONS = 32;
const PACE_MS = 50;
const QUIET_MS = 15_000;

const stack = await startStack({ start: false, serverEnv: { ...NO_LIMITS, RUNHOOK_LOG_LEVEL: 'info' } });
await stack.server.start();
const project = await stack.importText('project: Bench\ntests:\n  - { name: T, command: ["true"], pool: unserved }\n');
const url = new URL(webhookUrl(stack, project, 'tests', 'T'));
const goodCallers = new Pool(url.origin, { connections: 8 });
const badCallers = new Pool(url.origin, { connections: CONNECTIONS });

async function post(pool: Pool, path: string): Promise<number> {
  const { statusCode, body } = await pool.request({ method: 'POST', path });
  await body.text();
  return statusCode;
}

/** Good triggers at a steady pace, independent of response times, until stopped. @returns ms of each */
async function pacedTriggers(isOver: () => boolean): Promise<number[]> {
  const answers: Promise<number>[] = [];
  const began = performance.now();
  for (let n = 0; !isOver(); n++) {
    await sleep(Math.max(0, began + n * PACE_MS - performance.now()));
    const sentAt = performance.now();
    const timed = post(goodCallers, url.pathname).then((status) => {
      if (status !== 200) throw new Error(`A good token was answered with ${status}`);
      return performance.now() - sentAt;
    });
    answers.push(timed);
  }
  return Promise.all(answers);
}

const badToken = (n: number) =>
  [newToken('webhook'), `${newToken('webhook').slice(0, -1)}-`, 'x', 'y'.repeat(500)][n % 4]!;
const statuses: Record<number, number> = {};

/** @returns duration in seconds */
async function flood(total: number): Promise<number> {
  const began = performance.now();
  let sent = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (sent < total) {
        const status = await post(badCallers, url.pathname.replace(project.webhookToken, badToken(sent++)));
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  return (performance.now() - began) / 1000;
}

async function quietRound(): Promise<number[]> {
  const end = performance.now() + QUIET_MS;
  return pacedTriggers(() => performance.now() > end);
}

async function floodedRound(): Promise<number[]> {
  let over = false;
  const flooding = flood(Math.ceil(BAD / ROUNDS)).finally(() => (over = true));
  const times = await pacedTriggers(() => over);
  await flooding;
  return times;
}

await quietRound();
const rounds: { quiet: number[]; flooded: number[] }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  // Each kind comes first equally often.
  if (round % 2 === 0) {
    const quiet = await quietRound();
    rounds.push({ quiet, flooded: await floodedRound() });
  } else {
    const flooded = await floodedRound();
    rounds.push({ quiet: await quietRound(), flooded });
  }
}

const rows = rounds.map(({ quiet, flooded }) => ({
  quietP50: quantile(quiet, 0.5),
  quietP99: quantile(quiet, 0.99),
  floodedP50: quantile(flooded, 0.5),
  floodedP99: quantile(flooded, 0.99),
  p99Ratio: quantile(flooded, 0.99) / quantile(quiet, 0.99),
}));
const medians = Object.fromEntries(
  (Object.keys(rows[0]!) as (keyof (typeof rows)[number])[]).map((name) => [
    name,
    median(rows.map((row) => row[name]))!,
  ]),
);
const shown = (row: Record<string, number>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value.toFixed(name === 'p99Ratio' ? 2 : 1)]));
console.table({
  ...Object.fromEntries(rows.map((row, index) => [`round ${index + 1}`, shown(row)])),
  medians: shown(medians),
});
console.log(`Answers to bad tokens: ${JSON.stringify(statuses)}`);
console.log(
  JSON.stringify({
    machine: `${cpus().length} × ${cpus()[0]!.model}`,
    node: process.version,
    bad: BAD,
    connections: CONNECTIONS,
    goodPerSecond: 1000 / PACE_MS,
    medians,
    statuses,
  }),
);
await Promise.all([goodCallers.close(), badCallers.close()]);
await stack.stop();
