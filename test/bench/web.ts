/*
 * How long every page takes in a project with 10,000 tests, 200 suites and 100,000 runs: a real server on a real MongoDB,
 * asked as a signed-in browser asks, one page at a time. Beside them what cannot be less: a static file, an answer of the
 * API, and the database's own answer to a page of runs. Also how long the statistics of all those runs take to make.
 * `--times N` asks each page N times, `--tests N` and `--runs N` make a smaller project. Prints a table and one line of JSON.
 */
import { cpus } from 'node:os';
import { Pool } from 'undici';
import { BIG, seedBigProject } from '../support/big-project.js';
import { eventually } from '../support/eventually.js';
import { startStack } from '../support/stack.js';
import { assetUrl } from '../../src/web/asset-files.js';
import { quantile } from './measure.js';
import { benchOptions } from './options.js';
import { webPages } from './web-pages.js';

const { times: TIMES, tests, runs } = benchOptions({ times: 40, tests: BIG.tests, runs: BIG.runs });
const WARM_UP = 3;
const LONGEST_MS = 10 * 60_000;

const stack = await startStack({ start: false, serverEnv: { RUNHOOK_CHECK_ANSWERS: 'false' } });
const { projectId } = await stack.importText('project: Big shop\ntests:\n  - { name: First, command: ["true"] }\n');
const seededAt = performance.now();
const big = await seedBigProject(stack.collections, projectId, { ...BIG, tests, runs });
console.log(`Seeded ${runs} runs of ${tests} tests in ${seconds(seededAt)} s`);

const countedAt = performance.now();
await stack.server.start();
const { modified: newest } = (await stack.collections.runs.findOne(
  { status: { $in: ['passed', 'failed', 'error'] } },
  { sort: { modified: -1 } },
))!;
await eventually(async () => {
  const lease = await stack.collections.leases.findOne({ _id: 'stats' });
  return (lease?.mark && lease.mark >= newest) || undefined;
}, LONGEST_MS);
console.log(`Statistics made in ${seconds(countedAt)} s`);

const browser = new Pool(stack.baseUrl, { connections: 1 });
const headers = { cookie: stack.admin.sessionHeaders.cookie, accept: 'text/html' };

async function get(path: string): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  const answer = await browser.request({ method: 'GET', path, headers });
  return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers };
}

/** @returns ms of each call */
async function timed(call: () => Promise<unknown>): Promise<number[]> {
  for (let n = 0; n < WARM_UP; n++) await call();
  const taken: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const began = performance.now();
    await call();
    taken.push(performance.now() - began);
  }
  return taken;
}

interface Row {
  name: string;
  status?: number;
  kilobytes?: number;
  p50: number;
  p99: number;
}
const rows: Row[] = [];
const facts = (ms: number[]) => ({ p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) });

const rawRuns = () =>
  stack.collections.runs
    .find({ projectId }, { projection: { definition: 0, variables: 0 }, hint: 'newest_of_project' })
    .sort({ queuedAt: -1, _id: -1 })
    .limit(51)
    .toArray();
rows.push({ name: '(MongoDB: a page of runs)', ...facts(await timed(rawRuns)) });
rows.push({ name: '(static file)', status: 200, ...facts(await timed(() => get(assetUrl('theme.js')))) });
const apiList = `/api/v2/runs/?project=${projectId}&limit=50`;
rows.push({
  name: '(API: a page of runs)',
  status: (await get(apiList)).status,
  ...facts(await timed(() => get(apiList))),
});

for (const { name, path, thenLink } of webPages(projectId, big)) {
  const first = await get(path);
  const link = thenLink?.exec(first.text)?.[1]?.replaceAll('&amp;', '&');
  if (thenLink && !link) continue;
  const asked = link ?? path;
  const { status, text } = link ? await get(link) : first;
  rows.push({ name, status, kilobytes: text.length / 1000, ...facts(await timed(() => get(asked))) });
}

console.table(
  Object.fromEntries(
    rows.map(({ name, status, kilobytes, p50, p99 }) => [
      name,
      { status, KB: kilobytes?.toFixed(0), 'p50 ms': p50.toFixed(1), 'p99 ms': p99.toFixed(1) },
    ]),
  ),
);
console.log(
  JSON.stringify({
    machine: `${cpus().length} × ${cpus()[0]!.model}`,
    node: process.version,
    tests,
    runs,
    times: TIMES,
    pages: rows,
  }),
);
await browser.close();
await stack.stop();
process.exit(0);

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
