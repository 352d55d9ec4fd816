import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, LineCounter, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { ProjectFileProblem } from './project-file-error.js';

export const MAX_DEPTH = 20;
const MAX_ENTRIES = 10_000;
/** What the text may come to with its aliases filled in: characters, plus so many for each value. */
const MAX_COST = 64 * 1024 * 1024;
const COST_OF_VALUE = 32;
const LONE_SURROGATE = /\p{Surrogate}/u;

export const TOO_DEEP = `values are nested more than ${MAX_DEPTH} levels deep; a project file needs five`;

/** A YAML text as plain values: maps, lists, null, and text for every other scalar (`1.10` stays `1.10`). */
export interface YamlText {
  /** undefined when the text cannot be read at all. */
  value: unknown;
  problems: ProjectFileProblem[];
  /** The line of the value at a path; where nothing is there, that of the nearest value around it. */
  lineOf(path: readonly (string | number)[]): number;
}

/** @returns what stands for a text that cannot be read, and why */
export function unreadable(problems: ProjectFileProblem[]): YamlText {
  return { value: undefined, problems, lineOf: () => 1 };
}

interface Read {
  value: unknown;
  cost: number;
}

/** Turns a document's nodes into values. A node behind an anchor is turned once and shared, so that aliases cannot blow it up. */
export class YamlReader {
  private readonly problems: ProjectFileProblem[] = [];
  /** Lines of the entries of each map and list, by key or index. */
  private readonly linesOf = new WeakMap<object, Map<string | number, number>>();
  /** Anchors so far; undefined while their node is being read. */
  private readonly anchors = new Map<string, Read | undefined>();

  constructor(private readonly lines: LineCounter) {}

  read(root: ParsedNode | null): YamlText {
    const { value, cost } = this.node(root, 1);
    if (cost > MAX_COST) {
      const message = 'the file holds too many values once its aliases (*name) are filled in; write fewer aliases';
      return unreadable([{ line: 1, message }]);
    }
    return { value, problems: this.problems, lineOf: (path) => this.lineOf(value, path, this.line(root)) };
  }

  private line(node: { range?: readonly number[] | null } | null | undefined): number {
    return node?.range ? this.lines.linePos(node.range[0]!).line : 1;
  }

  private refuse(node: ParsedNode | null, message: string): Read {
    this.problems.push({ line: this.line(node), message });
    return { value: undefined, cost: COST_OF_VALUE };
  }

  private node(node: ParsedNode | null, depth: number): Read {
    if (depth > MAX_DEPTH) return this.refuse(node, TOO_DEEP);
    if (isAlias(node)) return this.alias(node);
    const anchor = node?.anchor;
    if (anchor) this.anchors.set(anchor, undefined);
    const read = this.content(node, depth);
    if (anchor) this.anchors.set(anchor, read);
    return read;
  }

  private content(node: ParsedNode | null, depth: number): Read {
    if ((isMap(node) || isSeq(node)) && node.items.length > MAX_ENTRIES)
      return this.refuse(node, `${node.items.length} entries are too many; a list or map may have up to 10,000`);
    if (isMap(node)) return this.map(node as YAMLMap<ParsedNode, ParsedNode | null>, depth);
    if (isSeq(node)) return this.list(node as YAMLSeq<ParsedNode | null>, depth);
    return this.scalar(node as (Scalar & ParsedNode) | null);
  }

  private alias(alias: Alias.Parsed): Read {
    const name = alias.source;
    if (!this.anchors.has(name)) return this.refuse(alias, `the alias *${name} has no anchor: put &${name} before it`);
    const target = this.anchors.get(name);
    return target ?? this.refuse(alias, `the alias *${name} stands inside the value that it refers to`);
  }

  private scalar(node: (Scalar & ParsedNode) | null): Read {
    if (!isScalar(node) || node.value === null) return { value: null, cost: COST_OF_VALUE };
    const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    if (text.includes('\0')) return this.refuse(node, 'the text holds a NUL character, which no program can be given');
    if (LONE_SURROGATE.test(text))
      return this.refuse(node, 'the text holds half of a surrogate pair (\\uD800–\\uDFFF)');
    return { value: text, cost: COST_OF_VALUE + text.length };
  }

  private list(node: YAMLSeq<ParsedNode | null>, depth: number): Read {
    const lines = new Map<string | number, number>();
    let cost = COST_OF_VALUE;
    const value = node.items.map((item, index) => {
      lines.set(index, this.line(item ?? node));
      const read = this.node(item, depth + 1);
      cost += read.cost;
      return read.value;
    });
    this.linesOf.set(value, lines);
    return { value, cost };
  }

  private map(node: YAMLMap<ParsedNode, ParsedNode | null>, depth: number): Read {
    const value: Record<string, unknown> = {};
    const lines = new Map<string | number, number>();
    let cost = COST_OF_VALUE;
    for (const pair of node.items) {
      const key = this.node(pair.key, depth + 1).value;
      const read = this.node(pair.value, depth + 1);
      cost += COST_OF_VALUE + read.cost;
      if (typeof key !== 'string' || key === '__proto__') this.refuse(pair.key, 'a field needs a plain name');
      else if (lines.has(key))
        this.refuse(pair.key, `"${key}" is there twice, first on line ${lines.get(key)}; keep one`);
      else {
        value[key] = read.value;
        lines.set(key, this.line(pair.key));
      }
    }
    this.linesOf.set(value, lines);
    return { value, cost };
  }

  private lineOf(root: unknown, path: readonly (string | number)[], rootLine: number): number {
    let line = rootLine;
    let value = root;
    for (const key of path) {
      const found = typeof value === 'object' && value !== null ? this.linesOf.get(value)?.get(key) : undefined;
      if (found === undefined) break;
      line = found;
      value = (value as Record<string | number, unknown>)[key];
    }
    return line;
  }
}
