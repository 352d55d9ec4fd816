import { newTest } from '#src/domain/targets/definition-schemas.js';
import { InvalidInputError } from '#src/domain/errors.js';

/** Validates a changed test as a whole, because its fields depend on its runner. @throws InvalidInputError with every problem */
export function checkTest(definition: object, name: string): void {
  const { error } = newTest.validate(
    { name, ...definition },
    { abortEarly: false, errors: { label: 'path', wrap: { label: false } } },
  );
  if (!error) return;
  const fields = error.details.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new InvalidInputError(fields.map(({ message }) => message).join('; '), { fields });
}
