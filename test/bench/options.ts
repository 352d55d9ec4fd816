import { parseArgs } from 'node:util';

/**
 * Parses a benchmark's options by their defaults: a boolean is a flag, a number takes a value.
 * @throws TypeError for an unknown option, Error for a value that is not a number above 0
 */
export function benchOptions<Options extends Record<string, boolean | number>>(
  defaults: Options,
): { [Name in keyof Options]: Options[Name] extends boolean ? boolean : number } {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { values } = parseArgs({ options });
  const parsed = Object.entries(defaults).map(([name, value]) => [name, valueOf(name, values[name] ?? value)]);
  return Object.fromEntries(parsed) as ReturnType<typeof benchOptions<Options>>;
}

function valueOf(name: string, value: unknown): boolean | number {
  if (typeof value === 'boolean') return value;
  if (Number(value) > 0) return Number(value);
  throw new Error(`--${name} must be a number above 0`);
}
