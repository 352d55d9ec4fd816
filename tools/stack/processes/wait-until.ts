const POLL_MS = 50;

/**
 * @param check errors count as false
 * @param options.ended ends the wait early, with a reason
 * @throws Error with `what` and the last error, at the timeout or when `ended` resolves
 */
export async function waitUntil(
  what: string,
  check: () => Promise<boolean> | boolean,
  options: { timeoutMs: number; ended?: Promise<string> },
): Promise<void> {
  const deadline = Date.now() + options.timeoutMs;
  let end: string | undefined;
  void options.ended?.then((reason) => (end = reason));
  for (let lastError: unknown; ;) {
    try {
      if (await check()) return;
    } catch (error) {
      lastError = error;
    }
    if (end !== undefined) throw new Error(`${what}: exited (${end})`);
    if (Date.now() >= deadline) {
      throw new Error(`${what}: timed out after ${options.timeoutMs / 1000} s`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
