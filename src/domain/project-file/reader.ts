import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, LineCounter, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { ProjectFileProblem } from './project-file-error.js';

export const MAX_DEPTH = 40;
const MAX_ENTRIES = 10_000;
/** Maximum size with aliases expanded: characters, plus COST_OF_VALUE for each value. */
const MAX_COST = 64 * 1024 * 1024;
const COST_OF_VALUE = 32;
const LONE_SURROGATE = /\p{Surrogate}/u;

export const TOO_DEEP = `values are nested more than ${MAX_DEPTH} levels deep; reduce the nesting`;

/** A path of keys whose values keep their types; `*` matches each entry of a list. */
export type TypedPath = readonly string[];

/**
 * A YAML text as plain values: maps, lists, null, and text for every other scalar (`1.10` stays `1.10`). At typed paths,
 * numbers and booleans keep their types.
 */
export interface YamlText {
  /** Undefined when the text cannot be parsed. */
  value: unknown;
  problems: ProjectFileProblem[];
  /** The line of the value at a path; if it is missing, that of the nearest value around it. */
  lineOf(path: readonly (string | number)[]): number;
  /** Whether the value at a path is a string in YAML and JSON, such as a number in quotes. */
  isText(path: readonly (string | number)[]): boolean;
}

/** The result for a text that cannot be parsed. */
export function unreadable(problems: ProjectFileProblem[]): YamlText {
  return { value: undefined, problems, lineOf: () => 1, isText: () => false };
}

interface Read {
  value: unknown;
  cost: number;
  /** The value at a typed path, if it differs. */
  typed?: number | boolean;
}

/** Converts a document's nodes to values. An anchored node is converted once and shared, so that aliases stay cheap. */
export class YamlReader {
  private readonly problems: ProjectFileProblem[] = [];
  /** Lines of the entries of each map and list, by key or index. */
  private readonly linesOf = new WeakMap<object, Map<string | number, number>>();
  /** Typed scalars of each map and list, by key or index. */
  private readonly typedOf = new WeakMap<object, Map<string | number, number | boolean>>();
  /** Typed copies of maps and lists; shared ones stay shared. */
  private readonly withTypes = new Map<unknown, unknown>();
  /** Anchors so far; undefined while their node is being read. */
  private readonly anchors = new Map<string, Read | undefined>();

  constructor(
    private readonly lines: LineCounter,
    private readonly typedPaths: readonly TypedPath[],
  ) {}

  read(root: ParsedNode | null): YamlText {
    const { value, cost } = this.node(root, 1);
    if (cost > MAX_COST) {
      const message = 'the file has too many values with its aliases (*name) expanded; use fewer aliases';
      return unreadable([{ line: 1, message }]);
    }
    for (const path of this.typedPaths) this.putTypes(value, path);
    return {
      value,
      problems: this.problems,
      lineOf: (path) => this.lineOf(value, path, this.line(root)),
      isText: (path) => this.isText(value, path),
    };
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
      return this.refuse(node, `${node.items.length} entries are too many; a list or map can have up to 10,000`);
    if (isMap(node)) return this.map(node as YAMLMap<ParsedNode, ParsedNode | null>, depth);
    if (isSeq(node)) return this.list(node as YAMLSeq<ParsedNode | null>, depth);
    return this.scalar(node as (Scalar & ParsedNode) | null);
  }

  private alias(alias: Alias.Parsed): Read {
    const name = alias.source;
    if (!this.anchors.has(name))
      return this.refuse(alias, `the alias *${name} has no anchor; define &${name} before it`);
    const target = this.anchors.get(name);
    return target ?? this.refuse(alias, `the alias *${name} is inside the value it refers to`);
  }

  private scalar(node: (Scalar & ParsedNode) | null): Read {
    if (!isScalar(node) || node.value === null) return { value: null, cost: COST_OF_VALUE };
    const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
    if (text.includes('\0')) return this.refuse(node, 'the text contains a NUL character');
    if (LONE_SURROGATE.test(text)) return this.refuse(node, 'the text contains a lone surrogate (\\uD800–\\uDFFF)');
    const typed = typeof node.value === 'number' || typeof node.value === 'boolean' ? { typed: node.value } : {};
    return { value: text, cost: COST_OF_VALUE + text.length, ...typed };
  }

  private list(node: YAMLSeq<ParsedNode | null>, depth: number): Read {
    const lines = new Map<string | number, number>();
    let cost = COST_OF_VALUE;
    const types = new Map<string | number, number | boolean>();
    const value = node.items.map((item, index) => {
      lines.set(index, this.line(item ?? node));
      const read = this.node(item, depth + 1);
      cost += read.cost;
      if (read.typed !== undefined) types.set(index, read.typed);
      return read.value;
    });
    this.linesOf.set(value, lines);
    this.typedOf.set(value, types);
    return { value, cost };
  }

  private map(node: YAMLMap<ParsedNode, ParsedNode | null>, depth: number): Read {
    const value: Record<string, unknown> = {};
    const lines = new Map<string | number, number>();
    const types = new Map<string | number, number | boolean>();
    let cost = COST_OF_VALUE;
    for (const pair of node.items) {
      const key = this.node(pair.key, depth + 1).value;
      const read = this.node(pair.value, depth + 1);
      cost += COST_OF_VALUE + read.cost;
      if (typeof key !== 'string' || key === '__proto__') this.refuse(pair.key, 'a field name must be plain text');
      else if (lines.has(key)) this.refuse(pair.key, `"${key}" is a duplicate of line ${lines.get(key)}; remove one`);
      else {
        value[key] = read.value;
        lines.set(key, this.line(pair.key));
        if (read.typed !== undefined) types.set(key, read.typed);
      }
    }
    this.linesOf.set(value, lines);
    this.typedOf.set(value, types);
    return { value, cost };
  }

  private putTypes(value: unknown, [key, ...rest]: TypedPath): void {
    if (typeof value !== 'object' || value === null || key === undefined) return;
    const within = value as Record<string, unknown>;
    for (const name of key === '*' ? Object.keys(within) : Object.hasOwn(within, key) ? [key] : [])
      if (rest.length > 0) this.putTypes(within[name], rest);
      else within[name] = this.typedAt(within, Array.isArray(within) ? Number(name) : name);
  }

  /** The value with its types. Maps and lists are copied, because an alias may use them untyped elsewhere. */
  private typedAt(container: object, key: string | number): unknown {
    const value = (container as Record<string | number, unknown>)[key];
    if (typeof value !== 'object' || value === null) return this.typedOf.get(container)?.get(key) ?? value;
    const known = this.withTypes.get(value);
    if (known !== undefined) return known;
    const copy: Record<string | number, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    this.withTypes.set(value, copy).set(copy, copy);
    for (const name of Object.keys(value)) {
      const place = Array.isArray(value) ? Number(name) : name;
      (copy as Record<string | number, unknown>)[place] = this.typedAt(value, place);
    }
    this.linesOf.set(copy, this.linesOf.get(value)!);
    return copy;
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

  private isText(root: unknown, path: readonly (string | number)[]): boolean {
    const container = path.slice(0, -1).reduce<unknown>(itemOf, root);
    if (typeof container !== 'object' || container === null) return false;
    const key = path.at(-1)!;
    return typeof itemOf(container, key) === 'string' && this.typedOf.get(container)?.get(key) === undefined;
  }
}

function itemOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
}
