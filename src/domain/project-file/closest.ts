import { distance } from 'fastest-levenshtein';

/** The name most similar to the input, if one differs by only a few characters, ignoring case. */
export function closestName(input: string, names: Iterable<string>): string | undefined {
  const lower = input.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(input.length / 4)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - input.length) >= bestDistance) continue;
    const found = distance(lower, name.toLowerCase());
    if (found < bestDistance) [best, bestDistance] = [name, found];
  }
  return best;
}
