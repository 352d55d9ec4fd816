/** Runs something while this process's wall clock is set ahead, but not its timers and monotonic clock. */
export async function withClockAhead<T>(aheadMs: number, run: () => Promise<T>): Promise<T> {
  const Real = Date;
  const skewed = class extends Real {
    constructor(...values: []) {
      super(...(values.length > 0 ? values : ([Real.now() + aheadMs] as unknown as [])));
    }
    static override now = () => Real.now() + aheadMs;
  };
  globalThis.Date = skewed as DateConstructor;
  try {
    return await run();
  } finally {
    globalThis.Date = Real;
  }
}
