import { isPlain, matchesName, type Glob, type GlobPart } from '#src/domain/targets/glob.js';

/** Indexes of the pattern parts that the next name of a path can match. */
export type Positions = readonly number[];

/** Matches paths one name at a time, so that folders that cannot contain a match are never entered. */
export interface PathMatcher {
  /** Before the first name. */
  start: Positions;
  /** Positions after the next name. Empty: nothing below can match. */
  after(positions: Positions, name: string): Positions;
  /** Like `after`, but only for parts without wildcards. */
  afterPlain(positions: Positions, name: string): Positions;
  /** Whether the path so far matches. */
  isMatch(positions: Positions): boolean;
  /** Whether every path below matches. */
  matchesAllBelow(positions: Positions): boolean;
}

export interface MatcherOptions {
  /** Wildcards also match names that begin with a dot. */
  hidden?: boolean;
  /** A pattern that names a folder matches everything in it. */
  foldersMatchContents?: boolean;
}

const END = Symbol('end');
/** Wildcards do not match names with line breaks, which are never intended. */
const LINE_BREAK = /[\r\n]/;

export function createPathMatcher(
  globs: readonly Glob[],
  { hidden = false, foldersMatchContents = false }: MatcherOptions = {},
): PathMatcher {
  const parts: (GlobPart | typeof END)[] = [];
  const first: number[] = [];
  for (const alternative of globs.flatMap(({ alternatives }) => alternatives)) {
    if (alternative.length === 0) continue;
    first.push(parts.length);
    parts.push(...alternative, ...(foldersMatchContents && endsWithName(alternative) ? ['folders' as const] : []), END);
  }

  /** `folders` can match no folder at all, so the part after it is possible too. */
  function expand(positions: Iterable<number>): Positions {
    const all = new Set<number>();
    for (let position of positions) {
      all.add(position);
      while (parts[position] === 'folders') all.add(++position);
    }
    return [...all];
  }

  return {
    start: expand(first),
    after(positions, name) {
      const characters = [...name];
      const isHidden = name.startsWith('.') && !hidden;
      const isBroken = LINE_BREAK.test(name);
      const next = new Set<number>();
      for (const position of positions) {
        const part = parts[position]!;
        if (part === END) continue;
        if (part === 'folders') {
          if (!isHidden && !isBroken) next.add(position);
        } else if (isBroken && !isPlain(part)) continue;
        else if (matchesName(part, characters, hidden)) next.add(position + 1);
      }
      return expand(next);
    },
    afterPlain(positions, name) {
      const characters = [...name];
      const isNamed = (part: GlobPart | typeof END) =>
        typeof part === 'object' && isPlain(part) && matchesName(part, characters, true);
      return expand(positions.filter((position) => isNamed(parts[position]!)).map((position) => position + 1));
    },
    isMatch: (positions) => positions.some((position) => parts[position] === END),
    matchesAllBelow: (positions) =>
      hidden && positions.some((position) => parts[position] === 'folders' && parts[position + 1] === END),
  };
}

function endsWithName(alternative: readonly GlobPart[]): boolean {
  const last = alternative.at(-1);
  if (last === undefined || last === 'folders') return false;
  const token = last.at(-1);
  return !(typeof token === 'object' && 'star' in token);
}
