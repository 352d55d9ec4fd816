import { CancellationScope, getExternalWorkflowHandle, type ChildWorkflowHandle } from '@temporalio/workflow';
import type { TestEnd } from './messages.js';
import { reportTo } from './signals.js';
import type { testRun } from './test-run.js';

type Child = ChildWorkflowHandle<typeof testRun>;

/** A test that this workflow run has started itself. */
interface Own {
  /** Rejects when it could not be started. */
  started: Promise<Child>;
  /** Resolves when it has ended and its end was taken. */
  over: Promise<void>;
  /** It was told to report its end by signal. */
  reports: boolean;
}

/**
 * A suite's tests in flight. They are awaited natively, which is cheapest; only those in flight at a continue-as-new are
 * told to report by signal, so that the window need not drain. A test may end both ways: the first counts.
 */
export class SuiteWindow {
  /** By run id; undefined for those that an earlier run of this workflow has started, which report. */
  private readonly tests: Map<string, Own | undefined>;

  /**
   * @param inherited tests in flight that were told to report
   * @param onEnd called once for each test that ends
   */
  constructor(
    inherited: string[],
    private readonly onEnd: (end: TestEnd) => void,
  ) {
    this.tests = new Map(inherited.map((runId) => [runId, undefined]));
  }

  get size(): number {
    return this.tests.size;
  }

  get inFlight(): string[] {
    return [...this.tests.keys()];
  }

  /** Tests that will end by signal, if nothing goes wrong. */
  get inherited(): string[] {
    return [...this.tests].filter(([, own]) => !own).map(([runId]) => runId);
  }

  /**
   * A test is in flight from now on.
   * @param test.over answers its end and does not reject
   */
  add(runId: string, test: { started: Promise<Child>; over: Promise<TestEnd>; reports: boolean }): void {
    this.tests.set(runId, { ...test, over: test.over.then((end) => this.end(end)) });
  }

  /** A test has ended. */
  end(end: TestEnd): void {
    if (this.tests.delete(end.runId)) this.onEnd(end);
  }

  /** Tells the tests in flight to report to the workflow with this ID. Resolves when each will, or has ended. */
  async tell(workflowId: string): Promise<void> {
    await this.each(async (own) => {
      if (own.reports) return;
      own.reports = true;
      await (await own.started).signal(reportTo, workflowId);
    });
  }

  /** Resolves when no test in flight is still to be started. */
  async settled(): Promise<void> {
    await this.each((own) => own.started);
  }

  /** One that has ended already, or was never started, is waited for: that arrives here. */
  private async each(act: (own: Own) => Promise<unknown>): Promise<void> {
    await CancellationScope.nonCancellable(() =>
      Promise.all([...this.tests.values()].map((own) => own && act(own).catch(() => own.over))),
    );
  }

  /** Stops the tests that an earlier run of this workflow has started; this one's own are stopped by their scope. */
  async stopInherited(): Promise<void> {
    await CancellationScope.nonCancellable(() =>
      Promise.all(
        this.inherited.map(
          (runId) =>
            getExternalWorkflowHandle(runId)
              .cancel()
              .catch(() => {}), // It has just ended.
        ),
      ),
    );
  }
}
