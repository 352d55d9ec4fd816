import { CancellationScope, isCancellation, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { PoolActivities } from '#activities/pools.js';

const { findRunner, isUntaken } = proxyLocalActivities<PoolActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** The pool has had no runner within the limit, and no worker has started the test. */
export class NoRunner extends Error {
  override name = 'NoRunner';
}

/**
 * Waits for an activity on a pool's queue, however long it is queued: without its own timeout, it keeps its place
 * in the queue. It is canceled only if the pool has had no runner within the limit.
 * @param noRunnerMs the limit, in ms
 * @throws NoRunner, or what `execute` throws
 */
export async function whileServed<T>(
  { runId, pool, noRunnerMs }: { runId: string; pool: string; noRunnerMs: number },
  execute: () => Promise<T>,
): Promise<T> {
  const waiting = new CancellationScope();
  const looking = new CancellationScope();
  let isUnserved = false;
  const takeBack = async () => {
    await untilUnserved(runId, pool, noRunnerMs);
    isUnserved = true;
    waiting.cancel();
  };
  // It ends only with a cancellation, because its activities are retried forever.
  looking.run(takeBack).catch(() => {});
  try {
    return await waiting.run(execute);
  } catch (error) {
    throw isUnserved && isCancellation(error) ? new NoRunner() : error;
  } finally {
    looking.cancel();
  }
}

async function untilUnserved(runId: string, pool: string, noRunnerMs: number): Promise<void> {
  for (let waitMs = noRunnerMs; ;) {
    await sleep(waitMs);
    const { alive, seenAgoMs = Infinity } = await findRunner({ pool });
    waitMs = alive ? noRunnerMs : noRunnerMs - seenAgoMs;
    if (waitMs > 0) continue;
    // A worker that cannot update its presence may be executing it.
    if (await isUntaken({ runId })) return;
    waitMs = noRunnerMs;
  }
}
