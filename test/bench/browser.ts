/*
 * Contexts per minute and memory per context of the browser runner compared with bare Playwright: the same steps, equal
 * browser processes, alternating rounds. `npm run bench:browser [-- --rounds 5 --contexts 12 --at-once 2]`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import { memoryOf } from '#activities/processes/memory-of.js';
import { startReaper } from '#activities/processes/reaper.js';
import { membersOf, processesOf } from '#activities/processes/proc-scan.js';
import { createBrowserFolders } from '#activities/runners/browser/browser-folders.js';
import { createBrowserPool } from '#activities/runners/browser/browser-pool.js';
import { launchBrowser } from '#activities/runners/browser/browser-process.js';
import { createBrowserRunner } from '#activities/runners/browser/browser-runner.js';
import { MIB } from '#src/lib/bytes.js';
import type { BrowserStep, Keep } from '#src/domain/browser-test/browser-test.js';
import { randomId } from '#src/domain/ids.js';
import { attemptOf } from '#test/fixtures/commands/support.js';
import { startShop } from '#test/fixtures/shop/server.js';
import { chromiumProgram } from '#test/support/chromium/chromium-program.js';
import { quantile } from './measure.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    contexts: { type: 'string', default: '12' },
    'at-once': { type: 'string', default: '2' },
  },
});
const [rounds, contexts, atOnce] = [Number(values.rounds), Number(values.contexts), Number(values['at-once'])];

const STEPS: BrowserStep[] = [
  { goto: '/list' },
  { expect: { role: 'heading', name: 'All goods' } },
  { click: { role: 'button', name: 'Add Tea pot' } },
  { expect: { testId: 'cart-count', text: '1' } },
  { click: { role: 'link', name: 'Go to the cart' } },
  { fill: { label: 'Email', value: 'ann@example.com' } },
  { select: { role: 'combobox', name: 'Country', option: 'Sweden' } },
  { check: { label: 'I agree' } },
  { click: { role: 'button', name: 'Pay' } },
  { click: { role: 'button', name: 'Yes, order' } },
  { expect: { text: 'Thank you for your order' } },
];

/** The same with Playwright alone. */
async function bareSteps(page: Page): Promise<void> {
  await page.goto('/list');
  await page.getByRole('heading', { name: 'All goods', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add Tea pot', exact: true }).click();
  await page.getByTestId('cart-count').filter({ hasText: '1' }).waitFor();
  await page.getByRole('link', { name: 'Go to the cart', exact: true }).click();
  await page.getByLabel('Email', { exact: true }).fill('ann@example.com');
  await page.getByRole('combobox', { name: 'Country', exact: true }).selectOption({ label: 'Sweden' });
  await page.getByLabel('I agree', { exact: true }).check();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, order', exact: true }).click();
  await page.getByText('Thank you for your order').waitFor();
}

const folder = mkdtempSync(join(tmpdir(), 'runhook-bench-'));
const program = await chromiumProgram();
const shop = await startShop();
const [ours, bare] = [randomId(), randomId()];
const reaper = await startReaper(ours);
const browsers = createBrowserPool({
  workerId: ours,
  reaper,
  folder: join(folder, 'ours'),
  executables: { chromium: program },
});
const runner = createBrowserRunner({ browsers, guard: createNetworkGuard({ privateNetworks: 'allow' }) });
const bareFolder = await createBrowserFolders(join(folder, 'bare')).create();
const bareBrowser = await launchBrowser('chromium', program, bareFolder, { workerId: bare, reaper });

interface Measured {
  perMinute: number;
  /** CPU time of this process and the browser's, in ms per context. */
  cpuMs: number;
  /** Peak memory of the browser, in MiB. */
  mostMib: number;
  /** Memory before, without a context. */
  idleMib: number;
}

async function oneOfOurs(more: { trace: Keep; screenshots: Keep }): Promise<void> {
  const verdict = await runner.run(
    {
      runner: 'browser',
      env: {},
      timeoutMs: 60_000,
      retries: 0,
      pool: 'default',
      baseUrl: shop.url,
      steps: STEPS,
      ...more,
    },
    attemptOf({
      folder,
      artifacts: { add: async ({ content }) => (Buffer.isBuffer(content) || content.resume(), true) },
    }),
  );
  if (verdict.status !== 'passed') throw new Error(JSON.stringify(verdict));
}

async function oneBare({ trace }: { trace: boolean }): Promise<void> {
  const context = await bareBrowser.browser.newContext({ baseURL: shop.url });
  if (trace) await context.tracing.start({ snapshots: true });
  await bareSteps(await context.newPage());
  await context.close();
}

async function measure(workerId: string, one: () => Promise<void>): Promise<Measured> {
  await one();
  const before = memory(workerId);
  let most = before;
  const cpu = cpuMs(workerId) + ownCpuMs();
  const start = performance.now();
  let left = contexts;
  const line = async () => {
    while (left-- > 0) {
      await one();
      most = Math.max(most, memory(workerId));
    }
  };
  const watch = setInterval(() => (most = Math.max(most, memory(workerId))), 250);
  await Promise.all(Array.from({ length: atOnce }, line));
  clearInterval(watch);
  return {
    perMinute: (contexts * 60_000) / (performance.now() - start),
    cpuMs: (cpuMs(workerId) + ownCpuMs() - cpu) / contexts,
    mostMib: most,
    idleMib: before,
  };
}

const memory = (workerId: string) => memoryOf(pidsOf(workerId)) / MIB;

/** CPU time of running processes and their exited children. A tick is 10 ms. */
function cpuMs(workerId: string): number {
  return pidsOf(workerId).reduce((sum, pid) => {
    const fields = read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + 10 * [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at] ?? 0), 0);
  }, 0);
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** All processes of the group that the browser's first process leads; its children have lost the mark. */
const pidsOf = (workerId: string) => [...processesOf(workerId).values()].flat().flatMap(membersOf);

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // Already exited.
  }
}

const kinds: Record<string, [string, () => Promise<void>]> = {
  'bare Playwright': [bare, () => oneBare({ trace: false })],
  'Runhook, nothing kept': [ours, () => oneOfOurs({ trace: 'never', screenshots: 'never' })],
  'Runhook, trace and picture on failure': [ours, () => oneOfOurs({ trace: 'failure', screenshots: 'failure' })],
  'bare Playwright with its trace': [bare, () => oneBare({ trace: true })],
  'Runhook, trace and pictures always': [ours, () => oneOfOurs({ trace: 'always', screenshots: 'always' })],
};
const seen = new Map<string, Measured[]>(Object.keys(kinds).map((name) => [name, []]));
try {
  for (const [workerId, one] of Object.values(kinds)) await measure(workerId, one);
  for (let round = 0; round < rounds; round++)
    for (const [name, [workerId, one]] of Object.entries(kinds)) seen.get(name)!.push(await measure(workerId, one));
} finally {
  await runner.close!();
  await bareBrowser.close();
  await shop.close();
  await reaper.stop();
  rmSync(folder, { recursive: true, force: true });
}

console.log(
  `${STEPS.length} steps a context, ${atOnce} at once, ${contexts} contexts a round, medians of ${rounds} rounds\n`,
);
const base = middle('bare Playwright');
for (const name of Object.keys(kinds)) {
  const { perMinute, cpuMs, mib } = middle(name);
  const ratio = (ours: number, theirs: number) => `${(ours / theirs).toFixed(2)} ×`;
  console.log(
    `${name.padEnd(40)} ${perMinute.toFixed(0).padStart(5)} contexts/min (time ${ratio(base.perMinute, perMinute)})   ` +
      `${cpuMs.toFixed(0).padStart(5)} ms CPU (${ratio(cpuMs, base.cpuMs)})   ${mib.toFixed(0).padStart(4)} MiB a context (${ratio(mib, base.mib)})`,
  );
}

/** Medians. The memory of a context is the difference to the browser's observed minimum. */
function middle(name: string): { perMinute: number; cpuMs: number; mib: number } {
  const all = seen.get(name)!;
  const ofItsBrowser = Object.keys(kinds).filter((other) => kinds[other]![0] === kinds[name]![0]);
  const idle = Math.min(...ofItsBrowser.flatMap((other) => seen.get(other)!.map(({ idleMib }) => idleMib)));
  return {
    perMinute: quantile(
      all.map(({ perMinute }) => perMinute),
      0.5,
    ),
    cpuMs: quantile(
      all.map(({ cpuMs }) => cpuMs),
      0.5,
    ),
    mib:
      (quantile(
        all.map(({ mostMib }) => mostMib),
        0.5,
      ) -
        idle) /
      atOnce,
  };
}
