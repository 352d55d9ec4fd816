/** One load of a benchmark; times in ms. */
export interface Load {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Makes `total` calls with `callers` concurrent callers. */
export async function measure(callers: number, total: number, call: () => Promise<unknown>): Promise<Load> {
  const times: number[] = [];
  let left = total;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) {
        const start = performance.now();
        await call();
        times.push(performance.now() - start);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return { perSecond: total / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** @param q from 0 to 1 */
export function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}

/** undefined for an empty list. */
export function median(values: number[]): number | undefined {
  return values.length === 0 ? undefined : quantile(values, 0.5);
}
