/** Does something with each item, so many at the same time. @throws the first error, once all under way have ended */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  each: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const takeTurns = async () => {
    for (const item of rest) await each(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, takeTurns));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
