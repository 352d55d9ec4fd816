import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdtemp } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import type { BrowserContext } from 'playwright-core';
import type { Keep } from '#src/domain/browser-test/browser-test.js';
import { within } from '#src/lib/within.js';
import type { Attempt } from '#activities/runners/runner.js';
import { maskTrace } from './mask-trace.js';

const STOP_MS = 8000;
const MASK_MS = 60_000;
export const TRACE = 'trace.zip';

export interface Trace {
  /**
   * @param failed whether the test failed
   * @returns a note for the verdict, if the trace was not saved; never rejects
   */
  end(failed: boolean, attempt: Pick<Attempt, 'mask' | 'artifacts'>): Promise<string | undefined>;
}

/** Records a trace of a context for Playwright's trace viewer, unless it is never kept. */
export async function startTrace(context: BrowserContext, keep: Keep): Promise<Trace> {
  if (keep === 'never') return { end: async () => undefined };
  // A film strip would slow every test down by 10%; the screenshot of the failing step is taken anyway.
  await context.tracing.start({ screenshots: keep === 'always', snapshots: true });
  return {
    async end(failed, attempt) {
      // An unneeded trace is discarded with the context.
      if (!failed && keep === 'failure') return undefined;
      const folder = await mkdtemp(join(tmpdir(), 'runhook-trace-'));
      try {
        const raw = join(folder, 'raw.zip');
        const masked = join(folder, TRACE);
        await within(STOP_MS, 'The trace', context.tracing.stop({ path: raw }));
        await within(MASK_MS, 'The trace', maskTrace(raw, masked, attempt.mask));
        await attempt.artifacts.add({ name: TRACE, contentType: 'application/zip', content: createReadStream(masked) });
        return undefined;
      } catch (error) {
        return `The trace was not saved: ${(error as Error).message}.`;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
