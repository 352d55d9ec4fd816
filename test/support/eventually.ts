import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until the result is not undefined and no error is thrown.
 * @param withinMs milliseconds after which the last error (or a plain one) is thrown
 */
export async function eventually<T>(ask: () => Promise<T | undefined> | T | undefined, withinMs = 10_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    let problem: unknown = new Error(`It did not happen within ${withinMs} ms: ${ask.toString().slice(0, 300)}`);
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      problem = error;
    }
    if (Date.now() > deadline) throw problem;
    await sleep(50);
  }
}
