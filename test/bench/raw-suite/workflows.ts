import { executeChild, proxyActivities } from '@temporalio/workflow';

/*
 * The least that Temporal can run as a suite: a parent that keeps a window of children running, each of which does one
 * activity that does nothing. What the service's own suites are measured against.
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
    // Its timer is not to go off in the turn of the service's suite.
    startToCloseTimeout: '10m',
  });
  await nothing();
}
