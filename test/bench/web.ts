/*
 * Response times of every page in a project with 10,000 tests, 200 suites and 100,000 runs: a real server on a real
 * MongoDB, requested like a signed-in browser does, one page at a time. For comparison: a static file, an API response,
 * and the database query for a page of runs. Also the time to compute the statistics of all those runs.
 * `--times N` requests each page N times, `--tests N` and `--runs N` set a smaller project. Prints a table and a line
 * of JSON.
 */
import { cpus } from 'node:os';
import { Pool } from 'undici';
import { BIG, seedBigProject } from '#test/support/big-project.js';
import { eventually } from '#test/support/eventually.js';
import { startStack } from '#test/support/stack.js';
import { assetUrl } from '#src/web/http/asset-files.js';
import { cpuSince } from './cpu-time.js';
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

interface Cost {
  p50: number;
  p99: number;
  /** CPU time of a call in server and database, in ms: less affected by other load than elapsed time. */
  cpu: number;
}

async function costOf(call: () => Promise<unknown>): Promise<Cost> {
  for (let n = 0; n < WARM_UP; n++) await call();
  const taken: number[] = [];
  const used = cpuSince({ server: stack.server.pid, mongodb: stack.pids().mongodb });
  for (let n = 0; n < TIMES; n++) {
    const began = performance.now();
    await call();
    taken.push(performance.now() - began);
  }
  const { server, mongodb } = used();
  return { p50: quantile(taken, 0.5), p99: quantile(taken, 0.99), cpu: ((server + mongodb) * 1000) / TIMES };
}

interface Row extends Cost {
  name: string;
  status?: number;
  kilobytes?: number;
}
const rows: Row[] = [];

const rawRuns = () =>
  stack.collections.runs
    .find({ projectId }, { projection: { definition: 0, variables: 0 }, hint: 'newest_of_project' })
    .sort({ queuedAt: -1, _id: -1 })
    .limit(51)
    .toArray();
rows.push({ name: '(MongoDB: a page of runs)', ...(await costOf(rawRuns)) });
rows.push({ name: '(static file)', status: 200, ...(await costOf(() => get(assetUrl('theme.js')))) });
const apiList = `/api/v2/projects/${projectId}/runs/?limit=50`;
rows.push({
  name: '(API: a page of runs)',
  status: (await get(apiList)).status,
  ...(await costOf(() => get(apiList))),
});

for (const { name, path, thenLink } of webPages(projectId, big)) {
  const first = await get(path);
  const link = thenLink?.exec(first.text)?.[1]?.replaceAll('&amp;', '&');
  if (thenLink && !link) continue;
  const asked = link ?? path;
  const { status, text } = link ? await get(link) : first;
  rows.push({ name, status, kilobytes: text.length / 1000, ...(await costOf(() => get(asked))) });
}

console.table(
  Object.fromEntries(
    rows.map(({ name, status, kilobytes, p50, p99, cpu }) => [
      name,
      {
        status,
        KB: kilobytes?.toFixed(0),
        'p50 ms': p50.toFixed(1),
        'p99 ms': p99.toFixed(1),
        'CPU ms': cpu.toFixed(1),
      },
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
