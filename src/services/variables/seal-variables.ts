import { InvalidInputError } from '#src/domain/errors.js';
import { seal } from '#src/domain/variables/secret-box.js';
import type { GivenVariable, Variable } from '#src/domain/variables/variables.js';

/**
 * Encrypts secret variables to be stored.
 * @param secretKeys AES-256 keys, newest first
 * @param earlier the stored variables: a secret one without a new value keeps its value
 * @throws InvalidInputError when a value is missing
 */
export function sealVariables(
  secretKeys: readonly Buffer[],
  given: readonly GivenVariable[],
  earlier: readonly Variable[] = [],
): Variable[] {
  const problems = given.flatMap(({ key, value, isSecret }, index) =>
    (value ?? undefined) === undefined && !(isSecret && findSecret(earlier, key))
      ? [{ field: `variables.${index}.value`, message: `variables.${index}.value of ${key} is required` }]
      : [],
  );
  if (problems.length > 0)
    throw new InvalidInputError(problems.map(({ message }) => message).join('; '), { fields: problems });
  return given.map(({ key, value, isSecret = false }): Variable => {
    if (!isSecret) return { key, isSecret, value: value! };
    return typeof value === 'string' ? { key, isSecret, sealed: seal(secretKeys, value) } : findSecret(earlier, key)!;
  });
}

function findSecret(earlier: readonly Variable[], key: string): Variable | undefined {
  return earlier.find((variable) => variable.key === key && variable.isSecret);
}
