import { executeChild, proxyActivities } from '@temporalio/workflow';

/*
 * The minimal suite in Temporal: a parent that keeps a window of children running, each with one activity that does
 * nothing. The baseline for the product's suites.
 */

export async function rawSuite(total: number, window: number, activityQueue: string): Promise<void> {
  let next = 0;
  const slot = async () => {
    while (next < total) {
      next++;
      await executeChild(rawTest, { args: [activityQueue] });
    }
  };
  await Promise.all(Array.from({ length: window }, slot));
}

export async function rawTest(activityQueue: string): Promise<void> {
  const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({
    taskQueue: activityQueue,
    // Its timer must not fire during the turn of the product's suite.
    startToCloseTimeout: '10m',
  });
  await nothing();
}
