import { setTimeout as sleep } from 'node:timers/promises';

/** Waits. @throws the abort reason of `signal`, at once */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
