import { isPlain, matchesName, type Glob, type GlobPart } from '#src/domain/targets/glob.js';

/** Which parts of the patterns the next name of a path is held against. */
export type Places = readonly number[];

/** Follows paths name by name, so that nothing is matched twice and folders without a match are not entered. */
export interface PathMatcher {
  /** Before the first name. */
  start: Places;
  /** After one more name; empty: nothing below it can match. */
  after(places: Places, name: string): Places;
  /** The same, of parts that are this very name. */
  afterPlain(places: Places, name: string): Places;
  /** Whether the path so far matches. */
  isMatch(places: Places): boolean;
  /** Whether it matches whatever follows. */
  matchesAllBelow(places: Places): boolean;
}

export interface MatcherOptions {
  /** Wildcards match names that begin with a dot. */
  hidden?: boolean;
  /** What names a folder stands for all that is in it. */
  foldersStandForAll?: boolean;
}

const END = Symbol('end');
/** Wildcards match no name with one: it is never meant. */
const LINE_BREAK = /[\r\n]/;

export function createPathMatcher(
  globs: readonly Glob[],
  { hidden = false, foldersStandForAll = false }: MatcherOptions = {},
): PathMatcher {
  const parts: (GlobPart | typeof END)[] = [];
  const first: number[] = [];
  for (const alternative of globs.flatMap(({ alternatives }) => alternatives)) {
    if (alternative.length === 0) continue;
    first.push(parts.length);
    parts.push(...alternative, ...(foldersStandForAll && endsWithName(alternative) ? ['folders' as const] : []), END);
  }

  /** Folders may be none: then the part behind them is next too. */
  function withBehind(places: Iterable<number>): Places {
    const all = new Set<number>();
    for (let place of places) {
      all.add(place);
      while (parts[place] === 'folders') all.add(++place);
    }
    return [...all];
  }

  return {
    start: withBehind(first),
    after(places, name) {
      const characters = [...name];
      const isHidden = name.startsWith('.') && !hidden;
      const isBroken = LINE_BREAK.test(name);
      const next = new Set<number>();
      for (const place of places) {
        const part = parts[place]!;
        if (part === END) continue;
        if (part === 'folders') {
          if (!isHidden && !isBroken) next.add(place);
        } else if (isBroken && !isPlain(part)) continue;
        else if (matchesName(part, characters, hidden)) next.add(place + 1);
      }
      return withBehind(next);
    },
    afterPlain(places, name) {
      const characters = [...name];
      const isNamed = (part: GlobPart | typeof END) =>
        typeof part === 'object' && isPlain(part) && matchesName(part, characters, true);
      return withBehind(places.filter((place) => isNamed(parts[place]!)).map((place) => place + 1));
    },
    isMatch: (places) => places.some((place) => parts[place] === END),
    matchesAllBelow: (places) =>
      hidden && places.some((place) => parts[place] === 'folders' && parts[place + 1] === END),
  };
}

function endsWithName(alternative: readonly GlobPart[]): boolean {
  const last = alternative.at(-1);
  if (last === undefined || last === 'folders') return false;
  const token = last.at(-1);
  return !(typeof token === 'object' && 'star' in token);
}
