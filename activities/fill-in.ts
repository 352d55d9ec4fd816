const PLACE = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** A test names a variable that it was not given: the verdict is `VARIABLE_MISSING`. */
export class VariableMissingError extends Error {
  override name = 'VariableMissingError';
  constructor(variable: string) {
    super(
      `The variable {{${variable}}} is not set. Set it in the project’s variables, the profile or the test’s own, or correct its name.`,
    );
  }
}

/**
 * Puts variables in their places: `Hello {{NAME}}`. What is put in is not looked through again.
 * @param written how a value is written there, such as `encodeURIComponent`
 * @throws VariableMissingError
 */
export function fillIn(
  text: string,
  variables: Readonly<Record<string, string>>,
  written: (value: string) => string = (value) => value,
): string {
  return text.replace(PLACE, (_place, name: string) => {
    if (!Object.hasOwn(variables, name)) throw new VariableMissingError(name);
    return written(variables[name]!);
  });
}
