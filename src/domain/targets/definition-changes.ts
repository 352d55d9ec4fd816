import { isDeepStrictEqual } from 'node:util';

/** What becomes of a project, test or suite. */
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

/** What makes a test or suite that is there (or not) the wanted one; undefined: nothing has to. */
export function changeOf(
  there: (Described & { archivedAt?: Date }) | undefined,
  wanted: Described,
): Change | undefined {
  if (!there) return { change: 'create' };
  const fields = changedFields(flat(there), flat(wanted));
  const change = there.archivedAt ? 'restore' : 'update';
  if (fields.length > 0) return { change, fields };
  return there.archivedAt ? { change } : undefined;
}

/** A state as one object, its name among its fields. */
export function flat({ name, definition }: Described): object {
  return { name, ...definition };
}
