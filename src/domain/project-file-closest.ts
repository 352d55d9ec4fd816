/** How many single-character changes lead from `a` to `b` (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** The name that somebody who wrote `wanted` may have meant, if one is close: a few changes apart, case aside. */
export function closestName(wanted: string, names: Iterable<string>): string | undefined {
  const lower = wanted.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 4)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= bestDistance) continue;
    const found = distance(lower, name.toLowerCase());
    if (found < bestDistance) [best, bestDistance] = [name, found];
  }
  return best;
}
