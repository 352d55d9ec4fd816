import { randomId } from '#src/domain/ids.js';
import type { RunAnswer } from '#src/domain/runs/run.js';
import { eventually } from '#test/support/eventually.js';
import { trigger } from '#test/support/stack.js';

const LONGEST_RETRY_MS = 60_000;

/** POSTs to a webhook repeatedly, 16 at a time, and retries failed requests with the same key. */
export async function flood(url: string, posts: number): Promise<RunAnswer[]> {
  const answers: RunAnswer[] = [];
  let left = posts;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) {
        const key = randomId();
        answers.push(await eventually(() => trigger(url, { 'Idempotency-Key': key }), LONGEST_RETRY_MS));
      }
    }),
  );
  return answers;
}
