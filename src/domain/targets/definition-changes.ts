import { isDeepStrictEqual } from 'node:util';

export type ChangeKind = 'create' | 'update' | 'archive' | 'restore';

export interface Change {
  change: ChangeKind;
  /** Names of the fields that differ. */
  fields?: string[];
}

interface Described {
  name: string;
  definition: object;
}

/** Names of the fields in which two states differ. */
export function changedFields(before: object, after: object): string[] {
  const [from, to] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(from![name], to![name]));
}

/** The change from the existing state to the next one; undefined when they are equal. */
export function changeOf(
  existing: (Described & { archivedAt?: Date }) | undefined,
  next: Described,
): Change | undefined {
  if (!existing) return { change: 'create' };
  const fields = changedFields(flat(existing), flat(next));
  const change = existing.archivedAt ? 'restore' : 'update';
  if (fields.length > 0) return { change, fields };
  return existing.archivedAt ? { change } : undefined;
}

/** A state as one object, its name among its fields. */
export function flat({ name, definition }: Described): object {
  return { name, ...definition };
}
