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
}

/**
 * A suite's tests in flight. They are awaited natively, which is cheapest; only those in flight at a continue-as-new are
 * told to report by signal, so that the window need not drain. A test may end both ways: the first counts.
 */
export class SuiteWindow {
  /** By run id; undefined for those that an earlier run of this workflow has started. */
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

  /** Tests that will end by signal, if nothing goes wrong. */
  get inherited(): string[] {
    return [...this.tests].filter(([, own]) => !own).map(([runId]) => runId);
  }

  /** A test is in flight from now on. `over` answers its end and does not reject. */
  add(runId: string, started: Promise<Child>, over: Promise<TestEnd>): void {
    this.tests.set(runId, { started, over: over.then((end) => this.end(end)) });
  }

  /** A test has ended. */
  end(end: TestEnd): void {
    if (this.tests.delete(end.runId)) this.onEnd(end);
  }

  /**
   * Tells all tests in flight to report to the workflow with this ID.
   * @returns those that will; the others have ended
   */
  async handOver(workflowId: string): Promise<string[]> {
    await Promise.all(
      [...this.tests.values()].map(async (own) => {
        try {
          await (await own?.started)?.signal(reportTo, workflowId);
        } catch {
          // It has ended already, or was never started: that arrives here.
          await own?.over;
        }
      }),
    );
    return [...this.tests.keys()];
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
