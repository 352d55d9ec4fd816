/* Values in maps of maps, by names such as `git.url`. */

type Values = Record<string, unknown>;

/** @returns undefined where there is none */
export function valueAt(values: object, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values);
}

/** Sets a value, and makes the maps around it. */
export function setValue(values: Values, name: string, value: unknown): void {
  const keys = name.split('.');
  const last = keys.pop()!;
  const around = keys.reduce<Values>((map, key) => (map[key] ??= {}) as Values, values);
  around[last] = value;
}
