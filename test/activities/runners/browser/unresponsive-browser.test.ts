import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { createNetworkGuard } from '#activities/network/network-guard.js';
import { createBrowserRunner } from '#activities/runners/browser/browser-runner.js';
import type { StepReport } from '#src/domain/runs/run-step.js';
import type { BrowserTest } from '#src/domain/targets/definitions.js';
import { attemptOf, processesWith } from '#test/fixtures/commands/support.js';
import { eventually } from '#test/support/eventually.js';
import { useBrowserWorld } from './support.js';

const STOP_MS = 6000;

describe('a test in a browser that does not respond', () => {
  describe('a suspended Chromium', () => {
    const world = useBrowserWorld();

    it('is stopped', async () => {
      const stop = new AbortController();
      const steps: StepReport[] = [];
      const running = world.run(
        [{ goto: '/list' }, { waitFor: { time: '30s' } }],
        {},
        { signal: stop.signal, steps: { write: async (step) => void steps.push(step) } },
      );
      await eventually(() => steps.length > 0 || undefined, 30_000);
      for (const pid of processesWith(world.workerId)) process.kill(pid, 'SIGSTOP');
      const stoppedAt = performance.now();
      stop.abort();
      expect((await running).verdict).to.deep.equal({ status: 'stopped' });
      expect(performance.now() - stoppedAt).to.be.below(STOP_MS);
    });
  });

  it('is stopped while its trace starts', async () => {
    const page = new EventEmitter();
    const tracing = new EventEmitter();
    const context = Object.assign(new EventEmitter(), {
      newPage: async () => context.emit('page', page),
      close: async () => {},
      tracing: {
        start: () => {
          tracing.emit('start');
          return new Promise(() => {});
        },
      },
    });
    const browser = { newContext: async () => context, isConnected: () => true } as unknown as Browser;
    const lease = { browser, release: async () => {} };
    const runner = createBrowserRunner({
      browsers: { acquire: async () => lease, close: async () => {} },
      guard: createNetworkGuard({ privateNetworks: 'allow' }),
    });
    try {
      const stop = new AbortController();
      tracing.once('start', () => setTimeout(() => stop.abort(), 50));
      const definition: BrowserTest = {
        runner: 'browser',
        env: {},
        timeoutMs: 60_000,
        retries: 0,
        pool: 'default',
        steps: [{ goto: 'http://127.0.0.1/' }],
      };
      const verdict = await runner.run(definition, attemptOf({ signal: stop.signal }));
      expect(verdict).to.deep.equal({ status: 'stopped' });
    } finally {
      await runner.close!();
    }
  }).timeout(STOP_MS);
});
