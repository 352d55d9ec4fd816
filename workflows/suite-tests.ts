import {
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { SuiteActivities } from '#activities/suite-expansion.js';
import type { SuitePlan, SuiteProgress, SuiteTest, TestEnd } from './messages.js';
import { testEnded } from './signals.js';
import { startTest } from './suite-child.js';
import { SuiteWindow } from './suite-window.js';

const PAGE = 100;
const CHECK_INHERITED_EVERY = '15s';

const { listSuiteTests, endedRuns } = proxyActivities<SuiteActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/**
 * Keeps up to `parallelism` tests of the suite running, in the suite's order, then runs failed tests again, as
 * often as the suite specifies.
 * @param progress changed in place
 * @param onChange called when a test has ended
 * @returns the state to continue as new with; undefined when all started tests have ended
 * @throws CancelledFailure when its scope was canceled, after the last running test has ended
 */
export async function runTests(
  plan: SuitePlan,
  progress: SuiteProgress,
  onChange: () => void,
): Promise<SuiteProgress | undefined> {
  const { counts } = progress;
  const scope = CancellationScope.current();
  // A plan of the first version: continue-as-new would cancel the tests that it has started.
  const mayContinueAsNew = plan.retryFailed !== undefined;
  let failing = false;
  /** Start no more tests. */
  const isEnding = () => failing || scope.consideredCancelled;

  const window = new SuiteWindow(progress.inFlight, ({ status }) => {
    counts.running--;
    ended(status);
  });
  setHandler(testEnded, (end) => window.end(end));
  const watch = new CancellationScope({ cancellable: false });
  void watch.run(() => checkInherited(window)).catch(ignoreCancellation);

  try {
    for (;;) {
      const rest = await startAll().catch(unlessStopped);
      if (rest) return { ...progress, inFlight: window.inFlight, page: rest };
      await drain();
      // Regardless of the counts: a test that was ended externally between two passes is not in the next one.
      if (isEnding() || counts.auto_retrying === 0 || progress.pass >= (plan.retryFailed ?? 0)) break;
      progress.pass++;
      progress.next = 0;
      delete progress.page;
    }
  } finally {
    watch.cancel();
  }
  if (scope.consideredCancelled) throw new CancelledFailure('The suite was stopped');
  return undefined;

  function ended(status: TestEnd['status']): void {
    counts[status]++;
    if (plan.onFailure === 'stop' && (status === 'failed' || status === 'error')) failing = true;
    onChange();
  }

  /**
   * One pass.
   * @returns the rest of the page when the history is long: running tests report to the next workflow run, and the window
   *   is kept full until the last of them has received the signal
   */
  async function startAll(): Promise<SuiteTest[] | undefined> {
    let page = progress.page ?? [];
    let isRedirecting = false;
    let isRedirected = false;
    while (!failing) {
      if (page.length === 0) page = await nextPage();
      const [test] = page;
      if (!test) return undefined;
      // At 4,096 events. Up to 500 running tests add up to nine events each and two for the signal: fewer than 10,000.
      if (mayContinueAsNew && !isRedirecting && workflowInfo().continueAsNewSuggested) {
        isRedirecting = true;
        void window.redirect(workflowInfo().workflowId).then(() => (isRedirected = true));
      }
      await until(() => isEnding() || isRedirected || window.size < plan.parallelism);
      if (isRedirected) await window.settled();
      // A stop or a failure would be lost at continue-as-new.
      if (isEnding()) return undefined;
      if (isRedirected) return page;
      page.shift();
      // The first version's pages had no positions.
      progress.next = (test.position ?? progress.next) + 1;
      counts[progress.pass === 0 ? 'queued' : 'auto_retrying']--;
      if (test.isMissing) {
        ended('error');
        continue;
      }
      counts.running++;
      const reports = isRedirecting ? workflowInfo().workflowId : undefined;
      window.add(test.runId, { ...startTest(plan, test, progress.pass, reports), reports: isRedirecting });
    }
    return undefined;
  }

  async function nextPage(): Promise<SuiteTest[]> {
    if (progress.next >= progress.total) return [];
    const onlyFailed = progress.pass > 0 ? { onlyFailed: true } : {};
    return await listSuiteTests({ runId: plan.runId, from: progress.next, limit: PAGE, ...onlyFailed });
  }

  /** A stop while a page was read: running tests must still be awaited. */
  function unlessStopped(error: unknown): undefined {
    if (!scope.consideredCancelled) throw error;
  }

  async function drain(): Promise<void> {
    await until(() => window.size === 0 || scope.consideredCancelled);
    if (scope.consideredCancelled) await window.stopInherited();
    await until(() => window.size === 0);
  }
}

/** Waits even if the scope is canceled: a stop cancels the children, and each is awaited. */
function until(isTrue: () => boolean): Promise<void> {
  return CancellationScope.nonCancellable(() => condition(isTrue));
}

/** A test whose workflow was terminated does not report. Its record shows the end once reconcile has written it. */
async function checkInherited(window: SuiteWindow): Promise<void> {
  while (window.inherited.length > 0) {
    await sleep(CHECK_INHERITED_EVERY);
    const runIds = window.inherited;
    if (runIds.length > 0) (await endedRuns({ runIds })).forEach((end) => window.end(end));
  }
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
