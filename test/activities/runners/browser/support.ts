import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createBrowserPool,
  type BrowserPool,
  type BrowserPoolOptions,
} from '#activities/runners/browser/browser-pool.js';
import { createBrowserRunner } from '#activities/runners/browser/browser-runner.js';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import type { NetworkPolicy } from '#activities/network/policy.js';
import type { Attempt } from '#activities/runners/runner.js';
import { startReaper, type Reaper } from '#activities/processes/reaper.js';
import { withTimeLimit } from '#activities/time-limit.js';
import type { BrowserStep } from '#src/domain/browser-test/browser-test.js';
import type { BrowserTest } from '#src/domain/targets/definitions.js';
import { randomId } from '#src/domain/ids.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { StepReport } from '#src/domain/runs/run-step.js';
import { NotPossibleError } from '#tools/stack/servers/not-possible.js';
import { attemptOf, textLog } from '#test/fixtures/commands/support.js';
import { startShop, type Shop } from '#test/fixtures/shop/server.js';
import { chromiumProgram } from '#test/support/chromium/chromium-program.js';

/** The result of a browser test. */
export interface Outcome {
  verdict: AttemptVerdict;
  steps: StepReport[];
  /** Content by name. */
  files: Map<string, Buffer>;
  log: string;
}

export interface BrowserWorld {
  shop: Shop;
  folder: string;
  workerId: string;
  browsers: BrowserPool;
  run(steps: BrowserStep[], more?: Partial<BrowserTest>, attempt?: Partial<Attempt>): Promise<Outcome>;
}

/** A shop, a real Chromium and the runner for a `describe`. Without Chromium, its tests are skipped, but not in CI. */
export function useBrowserWorld(
  options: Partial<BrowserPoolOptions> = {},
  privateNetworks: NetworkPolicy['privateNetworks'] = 'allow',
): BrowserWorld {
  const world = {} as BrowserWorld;
  let reaper: Reaper | undefined;
  let closeRunner: (() => Promise<void>) | undefined;

  before(async function () {
    this.timeout(300_000);
    const program = await chromiumProgram().catch((error: unknown) => {
      if (!(error instanceof NotPossibleError) || process.env.CI) throw error;
      console.log(`    skipped: ${error.message}`);
      return this.skip();
    });
    world.workerId = randomId();
    world.folder = mkdtempSync(join(tmpdir(), 'runhook-browser-'));
    reaper = await startReaper(world.workerId);
    world.shop = await startShop();
    world.browsers = createBrowserPool({
      workerId: world.workerId,
      reaper,
      folder: join(world.folder, 'browsers'),
      executables: { chromium: program },
      ...options,
    });
    const runner = createBrowserRunner({ browsers: world.browsers, guard: createNetworkGuard({ privateNetworks }) });
    closeRunner = () => runner.close!();
    world.run = async (steps, more = {}, some = {}) => {
      const log = textLog();
      const done: StepReport[] = [];
      const files = new Map<string, Buffer>();
      const definition: BrowserTest = {
        runner: 'browser',
        env: {},
        timeoutMs: 60_000,
        retries: 0,
        pool: 'default',
        baseUrl: world.shop.url,
        stepTimeout: '2s',
        steps,
        ...more,
      };
      const attempt = attemptOf({
        folder: world.folder,
        log,
        steps: { write: async (step) => void done.push(step) },
        artifacts: {
          async add({ name, content }) {
            const chunks: Buffer[] = [];
            if (Buffer.isBuffer(content)) chunks.push(content);
            else for await (const chunk of content) chunks.push(chunk as Buffer);
            files.set(name, Buffer.concat(chunks));
            return true;
          },
        },
        ...some,
      });
      const verdict = await withTimeLimit(definition.timeoutMs, attempt.signal, (signal) =>
        runner.run(definition, { ...attempt, signal }),
      );
      done.sort((a, b) => a.number! - b.number!);
      return { verdict, steps: done, files, log: log.text() };
    };
  });
  after(async () => {
    await closeRunner?.();
    await world.shop?.close();
    await reaper?.stop();
    if (world.folder) rmSync(world.folder, { recursive: true });
  });
  return world;
}
