import type { BrowserTest } from '#src/domain/targets/definitions.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { NetworkGuard } from '#activities/network/network-guard.js';
import { createLazyProxy } from '#activities/network/lazy-proxy.js';
import type { Attempt, Runner } from '#activities/runners/runner.js';
import type { BrowserLease, BrowserPool } from './browser-pool.js';
import { BrowserMissingError } from './find-browser.js';
import { firstLine } from './explain.js';
import { runSteps } from './run-steps.js';
import { openSession, type Session } from './session.js';
import { verdictOf } from './step-failure.js';
import { startTrace } from './trace.js';

export interface BrowserRunnerDeps {
  browsers: BrowserPool;
  /** What tests may reach. */
  guard: NetworkGuard;
}

const STOPPED: AttemptVerdict = { status: 'stopped' };

/** Runs the steps of a browser test in a context of its own, in a browser that all attempts share. */
export function createBrowserRunner({ browsers, guard }: BrowserRunnerDeps): Runner<BrowserTest> {
  const proxy = createLazyProxy(guard);

  async function inBrowser(
    definition: BrowserTest,
    attempt: Attempt,
    aborted: Promise<never>,
  ): Promise<AttemptVerdict> {
    const lease = await leaseOf(browsers.acquire(definition.browser ?? 'chromium'), aborted);
    let isClean = true;
    try {
      const opening = openSession(lease.browser, definition, attempt, {
        server: await proxy.url(),
        failureAt: proxy.failureAt,
      });
      const session = await Promise.race([opening, aborted]).catch(async (error: unknown) => {
        // A session that is still opening is closed later.
        isClean = !attempt.signal.aborted;
        void opening.then((late) => late.close()).catch(() => {});
        throw error;
      });
      try {
        return await inSession(definition, attempt, session, aborted);
      } finally {
        isClean = await session.close();
      }
    } catch (error) {
      if (!lease.browser.isConnected() && !attempt.signal.aborted)
        throw new Error(`The browser crashed (${firstLine((error as Error).message)})`);
      throw error;
    } finally {
      await lease.release(isClean);
    }
  }

  return {
    async run(definition, attempt) {
      const { signal } = attempt;
      if (signal.aborted) return STOPPED;
      const aborted = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
      );
      aborted.catch(() => {});
      try {
        return await inBrowser(definition, attempt, aborted);
      } catch (error) {
        if (signal.aborted) return STOPPED;
        if (error instanceof BrowserMissingError)
          return { status: 'error', errorCode: 'BROWSER_MISSING', errorMessage: error.message };
        return verdictOf(error);
      }
    },
    async close() {
      await browsers.close();
      await proxy.close();
    },
  };
}

async function inSession(
  definition: BrowserTest,
  attempt: Attempt,
  session: Session,
  aborted: Promise<never>,
): Promise<AttemptVerdict> {
  const trace = await Promise.race([startTrace(session.context, definition.trace ?? 'failure'), aborted]);
  const closed = new Promise<never>((_, reject) =>
    session.context.once('close', () => reject(new Error('The browser closed the test’s pages'))),
  );
  closed.catch(() => {});
  const verdict = await runSteps(definition, attempt, session, Promise.race([session.broken, aborted, closed]));
  const note = await Promise.race([trace.end(verdict.status !== 'passed', attempt), aborted]);
  return note === undefined ? verdict : { ...verdict, notes: [...(verdict.notes ?? []), note] };
}

/** A browser that is acquired too late is released. */
async function leaseOf(lease: Promise<BrowserLease>, aborted: Promise<never>): Promise<BrowserLease> {
  try {
    return await Promise.race([lease, aborted]);
  } catch (error) {
    void lease.then((late) => late.release(true)).catch(() => {});
    throw error;
  }
}
