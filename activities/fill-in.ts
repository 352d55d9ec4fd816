const VARIABLE = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The test uses an undefined variable; the verdict is `VARIABLE_MISSING`. */
export class VariableMissingError extends Error {
  override name = 'VariableMissingError';
  constructor(variable: string) {
    super(
      `The variable {{${variable}}} is not set. Add it to the test or to the variable set of the run, or correct the name.`,
    );
  }
}

/**
 * Substitutes variables such as `{{NAME}}`. Substituted values are not expanded again.
 * @param encode how to encode a value, such as `encodeURIComponent`
 * @throws VariableMissingError
 */
export function fillIn(
  text: string,
  variables: Readonly<Record<string, string>>,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(VARIABLE, (_match, name: string) => {
    if (!Object.hasOwn(variables, name)) throw new VariableMissingError(name);
    return encode(variables[name]!);
  });
}
