import { distance } from 'fastest-levenshtein';

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
