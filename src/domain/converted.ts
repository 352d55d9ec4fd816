/** A path where validation converted a string to a number or boolean. */
export interface Converted {
  path: (string | number)[];
  type: 'number' | 'boolean';
}

/** All such paths, in order. @param sent the value before validation @param value the value after it */
export function* convertedTexts(sent: unknown, value: unknown, path: (string | number)[] = []): Generator<Converted> {
  if (typeof sent === 'string') {
    if (typeof value === 'number' || typeof value === 'boolean')
      yield { path, type: typeof value as Converted['type'] };
    return;
  }
  if (typeof sent !== 'object' || sent === null || typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(sent)) {
    const key = Array.isArray(sent) ? Number(name) : name;
    yield* convertedTexts(inner, (value as Record<string | number, unknown>)[key], [...path, key]);
  }
}

/** The message for a string in such a place; it follows the name of the field. */
export const NOT_A_TEXT = {
  number: 'must be a number, not a string: remove the quotes',
  boolean: 'must be true or false, not a string: remove the quotes',
} as const;
