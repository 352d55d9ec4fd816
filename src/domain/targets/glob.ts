/*
 * Globs for file paths in test definitions: * and ? within a name, [abc], [a-z] and [!a], {a,b} and {1..9}, ** for any
 * folders, ! to exclude, and \ to escape a character. Groups cannot be repeated, so matching a name takes time
 * proportional to its length times the pattern's.
 */

/** One name of a path, or any number of folders. */
export type GlobPart = 'folders' | readonly GlobToken[];
/** A string matches itself, `any` one character, `star` any text, a set one of its characters (or none of them). */
export type GlobToken = string | { any: true } | { star: true } | CharacterSet;
export interface CharacterSet {
  /** First and last of each range. */
  ranges: readonly (readonly [string, string])[];
  isNegated: boolean;
}

export interface Glob {
  /** Starts with `!`. */
  leavesOut: boolean;
  /** Braces expanded: a path matches when it matches one of these. */
  alternatives: readonly (readonly GlobPart[])[];
  /** Tokens of all alternatives: the maximum cost per character of a name. */
  tokens: number;
}

export const LONGEST_GLOB = 1000;
const MAX_ALTERNATIVES = 100;
/** For all globs of a list together. */
const MAX_TOKENS = 20_000;
const MAX_BRACE_DEPTH = 5;

/** The glob is invalid. The message completes "<field> …". */
export class GlobError extends Error {
  override name = 'GlobError';
}

/** @throws GlobError */
export function parseGlob(text: string): Glob {
  if (text.length > LONGEST_GLOB) throw new GlobError(`must not be longer than ${LONGEST_GLOB} characters`);
  const leavesOut = text.startsWith('!');
  const sequences = writtenOut([...(leavesOut ? text.slice(1) : text)]);
  const tokens = lengthOf(sequences);
  if (tokens > MAX_TOKENS) throw new GlobError(TOO_LONG);
  const alternatives = sequences.flatMap((sequence) => {
    const parts = partsOf(sequence);
    return parts ? [parts] : [];
  });
  return { leavesOut, alternatives, tokens };
}

/** Also limits the total size. @throws GlobError */
export function parseGlobs(texts: readonly string[]): Glob[] {
  const globs = texts.map(parseGlob);
  if (globs.reduce((sum, { tokens }) => sum + tokens, 0) > MAX_TOKENS)
    throw new GlobError(`must not exceed ${MAX_TOKENS} characters in total with braces expanded`);
  return globs;
}

/** @returns why a glob is invalid, to complete "<field> …" */
export function problemOfGlobs(...texts: string[]): string | undefined {
  try {
    parseGlobs(texts);
    return undefined;
  } catch (error) {
    if (error instanceof GlobError) return error.message;
    throw error;
  }
}

type Item = GlobToken | { slash: true };
type Sequence = Item[];

const TOO_MANY = `must not expand to more than ${MAX_ALTERNATIVES} patterns: use fewer braces`;
const TOO_LONG = 'is too long with braces expanded: use fewer braces';

/** Expands braces, in time proportional to the text and the results. */
function writtenOut(text: readonly string[]): Sequence[] {
  const lists = listsIn(text);
  let noSetBefore = 0;
  let at = 0;

  /** Reads to the end, or within braces to a comma or the closing brace. */
  function readSequences(depth: number): Sequence[] {
    let sequences: Sequence[] = [[]];
    const append = (...items: Item[]) => sequences.forEach((sequence) => sequence.push(...items));
    while (at < text.length) {
      const character = text[at]!;
      if (depth > 0 && (character === ',' || character === '}')) break;
      if (character === '(' || character === ')' || character === '|')
        throw new GlobError(
          `must not contain groups such as (a|b) or +(a): write {a,b}, or \\${character} for a literal ${character}`,
        );
      if (character === '\\' && at + 1 < text.length) {
        append(text[at + 1]!);
        at += 2;
      } else if (character === '{') {
        const choices = readBraces(depth);
        if (sequences.length * choices.length > MAX_ALTERNATIVES) throw new GlobError(TOO_MANY);
        if (choices.length === 1) append(...choices[0]!);
        else sequences = sequences.flatMap((one) => choices.map((choice) => [...one, ...choice]));
        if (choices.length > 1 && lengthOf(sequences) > MAX_TOKENS) throw new GlobError(TOO_LONG);
      } else if (character === '[') append(readSet() ?? text[at++]!);
      else {
        append(itemOf(character));
        at++;
      }
    }
    return sequences;
  }

  /** A brace that starts neither a list nor a range is literal. */
  function readBraces(depth: number): Sequence[] {
    const range = /^\{(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])\}/.exec(text.slice(at, at + 20).join(''));
    const ranged = range && rangeOf(range[1]!, range[2]!);
    if (ranged) {
      at += range[0].length;
      return ranged;
    }
    if (!lists.has(at++)) return [['{']];
    if (depth === MAX_BRACE_DEPTH) throw new GlobError(`must not nest braces more than ${MAX_BRACE_DEPTH} levels deep`);
    const choices: Sequence[] = [];
    do {
      choices.push(...readSequences(depth + 1));
      if (choices.length > MAX_ALTERNATIVES) throw new GlobError(TOO_MANY);
    } while (text[at++] === ',');
    return choices;
  }

  /** @returns undefined when it is not closed: the bracket is literal */
  function readSet(): CharacterSet | undefined {
    if (at < noSetBefore) return undefined;
    const isNegated = text[at + 1] === '!' || text[at + 1] === '^';
    const ranges: [string, string][] = [];
    const first = at + (isNegated ? 2 : 1);
    let end = first;
    for (; end < text.length && text[end] !== '/'; end++) {
      if (text[end] === ']' && end > first) {
        at = end + 1;
        return { ranges, isNegated };
      }
      if (text[end] === '\\') end++;
      const [low = '\\', dash, high] = text.slice(end, end + 3);
      if (dash === '-' && high !== undefined && high !== ']' && high !== '/') {
        ranges.push([low, high]);
        end += 2;
      } else ranges.push([low, low]);
    }
    noSetBefore = end;
    return undefined;
  }

  return readSequences(0);
}

const lengthOf = (sequences: readonly Sequence[]) => sequences.reduce((sum, { length }) => sum + length, 0);

function itemOf(character: string): Item {
  if (character === '*') return { star: true };
  if (character === '?') return { any: true };
  return character === '/' ? { slash: true } : character;
}

/** @returns the positions of opening braces that are closed and contain a comma */
function listsIn(text: readonly string[]): Set<number> {
  const lists = new Set<number>();
  const open: { at: number; hasComma: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') open.push({ at, hasComma: false });
    else if (text[at] === ',' && open.length > 0) open.at(-1)!.hasComma = true;
    else if (text[at] === '}') {
      const closed = open.pop();
      if (closed?.hasComma) lists.add(closed.at);
    }
  }
  return lists;
}

/** @returns undefined for a range from a number to a letter */
function rangeOf(first: string, last: string): Sequence[] | undefined {
  const isNumber = /\d/.test(first);
  if (isNumber !== /\d/.test(last)) return undefined;
  const [from, to] = isNumber ? [Number(first), Number(last)] : [first.codePointAt(0)!, last.codePointAt(0)!];
  const count = Math.abs(to - from) + 1;
  if (count > MAX_ALTERNATIVES) throw new GlobError(TOO_MANY);
  const step = to < from ? -1 : 1;
  const values = Array.from({ length: count }, (_, index) => from + index * step);
  return values.map((value) => (isNumber ? [...String(value)] : [String.fromCodePoint(value)]));
}

/** @returns undefined for a path outside the folder, which never matches */
function partsOf(sequence: Sequence): GlobPart[] | undefined {
  const names: GlobToken[][] = [[]];
  for (const item of sequence)
    if (typeof item === 'object' && 'slash' in item) names.push([]);
    else names.at(-1)!.push(item);
  if (names.length > 1 && names[0]!.length === 0) return undefined;
  const parts: GlobPart[] = [];
  for (const name of names) {
    const text = isPlain(name) ? name.join('') : undefined;
    if (text === '' || text === '.') continue;
    if (text === '..') return undefined;
    const isFolders = name.length >= 2 && name.every(isStar);
    if (isFolders && parts.at(-1) === 'folders') continue;
    parts.push(isFolders ? 'folders' : name.filter((token, index) => !isStar(token) || !isStar(name[index - 1])));
  }
  return parts;
}

/** Whether a part has no wildcards. */
export const isPlain = (part: readonly GlobToken[]): boolean => part.every((token) => typeof token === 'string');

const isStar = (token: GlobToken | undefined): boolean => typeof token === 'object' && 'star' in token;

/**
 * Whether a file's or folder's name matches a part of a glob.
 * @param name its characters
 * @param hidden whether wildcards match a dot at its beginning
 */
export function matchesName(part: readonly GlobToken[], name: readonly string[], hidden: boolean): boolean {
  if (name[0] === '.' && !hidden && part[0] !== '.') return false;
  let [at, next] = [0, 0];
  // The last star and the end of its match: matching never backtracks further.
  let [star, reach] = [-1, 0];
  while (at < name.length) {
    const token = part[next];
    if (isStar(token)) {
      [star, reach] = [next++, at];
    } else if (token !== undefined && matchesOne(token, name[at]!)) {
      at++;
      next++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++reach;
    } else return false;
  }
  while (isStar(part[next])) next++;
  return next === part.length;
}

function matchesOne(token: GlobToken, character: string): boolean {
  if (typeof token === 'string') return token === character;
  if ('ranges' in token)
    return token.ranges.some(([low, high]) => low <= character && character <= high) !== token.isNegated;
  return 'any' in token;
}
