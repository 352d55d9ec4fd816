import { CancellationScope, getExternalWorkflowHandle, type ChildWorkflowHandle } from '@temporalio/workflow';
import type { TestEnd } from './messages.js';
import { reportTo } from './signals.js';
import type { testRun } from './test-run.js';

type Child = ChildWorkflowHandle<typeof testRun>;

/** A test that this workflow run started itself. */
interface OwnTest {
  /** Rejects when it could not be started. */
  started: Promise<Child>;
  /** Resolves when it has ended and its end was taken. */
  over: Promise<void>;
  /** It has received the signal to report its end. */
  reports: boolean;
}

/**
 * The running tests of a suite. They are awaited natively, which is cheapest; only those running at continue-as-new
 * report by signal, so that the window need not drain. If a test ends in both ways, the first one counts.
 */
export class SuiteWindow {
  /** By run id; undefined for tests that an earlier workflow run started, which report by signal. */
  private readonly tests: Map<string, OwnTest | undefined>;

  /**
   * @param inherited running tests that report by signal
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

  /** Tests that are expected to end by signal. */
  get inherited(): string[] {
    return [...this.tests].filter(([, own]) => !own).map(([runId]) => runId);
  }

  /**
   * Adds a running test.
   * @param test.over resolves to its end and never rejects
   */
  add(runId: string, test: { started: Promise<Child>; over: Promise<TestEnd>; reports: boolean }): void {
    this.tests.set(runId, { ...test, over: test.over.then((end) => this.end(end)) });
  }

  /** A test has ended. */
  end(end: TestEnd): void {
    if (this.tests.delete(end.runId)) this.onEnd(end);
  }

  /** Signals the running tests to report to the workflow with this ID. Resolves when each has the signal or has ended. */
  async redirect(workflowId: string): Promise<void> {
    await this.each(async (own) => {
      if (own.reports) return;
      own.reports = true;
      await (await own.started).signal(reportTo, workflowId);
    });
  }

  /** Resolves when every test in the window has been started. */
  async settled(): Promise<void> {
    await this.each((own) => own.started);
  }

  /** A test that has already ended or never started is awaited: its end arrives here. */
  private async each(act: (own: OwnTest) => Promise<unknown>): Promise<void> {
    await CancellationScope.nonCancellable(() =>
      Promise.all([...this.tests.values()].map((own) => own && act(own).catch(() => own.over))),
    );
  }

  /** Stops the tests that an earlier workflow run started; its own are stopped by their scope. */
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
